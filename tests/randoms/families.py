"""torch.distributions: every family at sample parameters, divergences, transforms, texts."""

import itertools
from functools import partial
from typing import Any

from tests.observe import Snippet, attempt, rounded

FAMILIES = r"""
Bernoulli(T([.2,.5,.9]))
Bernoulli(logits=T([.2,-.5,3.]))
Beta(T([.5,2.,5.]),T([1.,.7,3.]))
Binomial(7,T([.2,.5,.9]))
Binomial(T([3.,5.,40.]),logits=T([.2,-.5,3.]))
Categorical(T([[.2,.5,.9],[1.,2.,3.]]))
Categorical(logits=T([.2,-.5,3.]))
Cauchy(T([.2,-.5]),T([1.,2.]))
Chi2(T([.5,3.,20.]))
ContinuousBernoulli(T([.2,.5,.9,.4995]))
ContinuousBernoulli(logits=T([.2,-.5,3.]))
Dirichlet(T([[.5,2.,5.],[1.,.3,2.]]))
Dirichlet(T([.5,.2,.3]))
Exponential(T([.5,2.]))
FisherSnedecor(T([3.,5.]),T([7.,3.]))
Gamma(T([.3,2.,20.]),T([1.,2.,.5]))
Geometric(T([.2,.7]))
Geometric(logits=T([.2,-.7]))
Gumbel(T([.2,-1.]),T([1.,2.]))
HalfCauchy(T([1.,2.]))
HalfNormal(T([1.,2.]))
Independent(Normal(T([[.2,-1.],[1.,2.]]),T(1.5)),1)
InverseGamma(T([3.,5.]),T([1.,2.]))
Kumaraswamy(T([.5,2.]),T([3.,2.]))
LKJCholesky(3,T([.5,2.]))
LKJCholesky(2,1.)
Laplace(T([.2,-1.]),T([1.,2.]))
LogNormal(T([.2,-1.]),T([1.,.5]))
LogisticNormal(T([.2,-1.]),T([1.,.5]))
LowRankMultivariateNormal(T([.2,-1.,3.]),T([[1.],[2.],[-1.]]),T([1.,.5,2.]))
MixtureSameFamily(Categorical(T([.2,.5,.3])),Normal(T([0.,1.,5.]),T([1.,.5,2.])))
MixtureSameFamily(Categorical(T([.2,.8])),MultivariateNormal(T([[0.,1.],[2.,3.]]),torch.eye(2).double()))
MixtureSameFamily(Categorical(T([[.2,.8],[.5,.5],[.3,.7]])),Independent(Normal(T([[[0.,1.]]*2]*3),T(1.)),1))
Multinomial(5,T([.2,.5,.3]))
Multinomial(3,logits=T([[.2,.5,.3],[1.,0.,0.]]))
MultivariateNormal(T([.2,-1.]),T([[2.,.5],[.5,1.]]))
MultivariateNormal(T([.2,-1.]),precision_matrix=T([[2.,.5],[.5,1.]]))
MultivariateNormal(T([[.2,-1.],[0.,0.]]),scale_tril=T([[2.,0.],[.5,1.]]))
NegativeBinomial(T([3.,5.]),T([.2,.7]))
NegativeBinomial(4.,logits=T([.2,-.7]))
Normal(T([.2,-1.]),T([1.,2.]))
OneHotCategorical(T([.2,.5,.3]))
OneHotCategoricalStraightThrough(T([.2,.5,.3]))
Pareto(T([1.,2.]),T([3.,1.5]))
Poisson(T([.5,3.,30.]))
RelaxedBernoulli(T(.7),T([.2,.7]))
RelaxedBernoulli(T(.7),logits=T([.2,.7]))
RelaxedOneHotCategorical(T(.7),T([.2,.5,.3]))
StudentT(T([3.,1.5,7.]),T([0.,1.,2.]),T([1.,2.,3.]))
TransformedDistribution(Normal(T([0.,1.]),T([1.,2.])),[ExpTransform(),AffineTransform(1.,2.)])
TransformedDistribution(Normal(T([0.,1.]),T([1.,2.])),[TanhTransform(),AffineTransform(1.,-2.)])
TransformedDistribution(Normal(T([[0.,1.]]),T([1.,2.])),[StickBreakingTransform()])
Uniform(T([0.,1.]),T([1.,3.]))
VonMises(T([.2,-1.]),T([1.,5.]))
Weibull(T([1.,2.]),T([.7,3.]))
Wishart(T(4.),T([[2.,.5],[.5,1.]]))
Wishart(T([4.,5.]),scale_tril=T([[2.,0.],[.5,1.]]))
Wishart(4.,precision_matrix=T([[2.,.5],[.5,1.]]))
""".strip().splitlines()

PAIRS = {
    "Bernoulli": "Bernoulli(T([.2,.5]))",
    "Beta": "Beta(T([.5,2.]),T([1.,.7]))",
    "Binomial": "Binomial(7,T([.2,.5]))",
    "Categorical": "Categorical(T([[.2,.5],[.3,.7]]))",
    "Cauchy": "Cauchy(T([.2,-.5]),T([1.,2.]))",
    "ContinuousBernoulli": "ContinuousBernoulli(T([.2,.7]))",
    "Dirichlet": "Dirichlet(T([.5,2.,5.]))",
    "Exponential": "Exponential(T([.5,2.]))",
    "Gamma": "Gamma(T([.3,2.]),T([1.,2.]))",
    "Geometric": "Geometric(T([.2,.7]))",
    "Gumbel": "Gumbel(T([.2,-1.]),T([1.,2.]))",
    "HalfNormal": "HalfNormal(T([1.,2.]))",
    "Independent": "Independent(Normal(T([[.2,-1.],[1.,2.]]),T(1.5)),1)",
    "Laplace": "Laplace(T([.2,-1.]),T([1.,2.]))",
    "LowRank": "LowRankMultivariateNormal(T([.2,-1.]),T([[1.],[2.]]),T([1.,.5]))",
    "MultivariateNormal": "MultivariateNormal(T([.2,-1.]),T([[2.,.5],[.5,1.]]))",
    "Normal": "Normal(T([.2,-1.]),T([1.,2.]))",
    "OneHotCategorical": "OneHotCategorical(T([.2,.5,.3]))",
    "Pareto": "Pareto(T([1.,2.]),T([3.,1.5]))",
    "Poisson": "Poisson(T([.5,3.]))",
    "Uniform": "Uniform(T([0.,.1]),T([.8,.9]))",
    "Chi2": "Chi2(T([.5,3.]))",
    "Wishart": "Wishart(T([4.,5.]),scale_tril=T([[2.,0.],[.5,1.]]))",
    "Transformed": "TransformedDistribution(Normal(T([0.,1.]),T([1.,2.])),[ExpTransform()])",
}

# Their samples move by an approximation of PyTorch's, so only two digits are the same.
IMPLICIT = ("Beta", "Chi2", "Dirichlet", "FisherSnedecor", "Gamma", "InverseGamma", "StudentT")

TRANSFORMS = r"""
ExpTransform()
AbsTransform()
SigmoidTransform()
SoftplusTransform()
TanhTransform()
AffineTransform(1.,2.)
AffineTransform(torch.tensor([1.,2.,3.]),torch.tensor([.5,1.,-2.]),event_dim=1)
PowerTransform(torch.tensor(2.))
SoftmaxTransform()
StickBreakingTransform()
LowerCholeskyTransform()
PositiveDefiniteTransform()
CorrCholeskyTransform()
ComposeTransform([D.ExpTransform(),D.AffineTransform(1.,2.),D.SigmoidTransform()])
ComposeTransform([D.AffineTransform(1.,2.),D.StickBreakingTransform()])
IndependentTransform(D.ExpTransform(),1)
CatTransform([D.ExpTransform(),D.AffineTransform(1.,2.)],dim=-1,lengths=[1,2])
CatTransform([D.ExpTransform(),D.AffineTransform(1.,2.)],dim=0,lengths=[1,2])
StackTransform([D.ExpTransform(),D.AffineTransform(1.,2.),D.TanhTransform()],dim=0)
StackTransform([D.ExpTransform(),D.AffineTransform(1.,2.),D.TanhTransform()],dim=-1)
CumulativeDistributionTransform(D.Normal(0.,1.))
ReshapeTransform((3,),(3,1))
ExpTransform().inv
StickBreakingTransform().with_cache()
ComposeTransform([])
""".strip().splitlines()

EXPRESSIONS = r"""
D.AffineTransform(1.,2.)
D.ComposeTransform([D.ExpTransform(),D.AffineTransform(1.,2.)])
D.ExpTransform().inv
D.StickBreakingTransform().domain
D.StickBreakingTransform().forward_shape(())
D.ExpTransform()==D.ExpTransform()
c.real.check(torch.tensor([1,float("nan")]))
c.simplex.check(torch.tensor([[0.5,0.5],[0.5,0.6]]))
c.lower_cholesky.check(torch.eye(2))
c.positive_definite.check(torch.tensor([[1.,2],[2,1]]))
c.positive_definite.check(torch.ones(2,3))
c.corr_cholesky.check(torch.eye(2))
c.one_hot.check(torch.eye(2))
c.multinomial(3).check(torch.tensor([1.,2]))
c.boolean.check(torch.tensor([0.,2]))
c.nonnegative_integer.check(torch.tensor([1.5,2]))
c.independent(c.real,1).check(torch.zeros(2,3))
c.independent(c.real,1).check(torch.zeros(()))
c.independent(c.real,1)
c.cat([c.real,c.positive],1,[1,2]).check(torch.tensor([[1.,2,-3]]))
c.stack([c.real,c.positive],1).check(torch.tensor([[1.,-3]]))
c.symmetric.check(torch.ones(2,2))
c.square.check(torch.ones(3,2,2))
c.positive_semidefinite.check(torch.ones(2,2))
c.lower_triangular.check(torch.ones(2,2))
c.integer_interval(0,3).check(torch.tensor([1.,4]))
c.interval(0,3).check(torch.tensor([1.,4]))
c.half_open_interval(0,3).check(torch.tensor([0.,3]))
c.less_than(3)
c.greater_than_eq(2)
c.MixtureSameFamilyConstraint(c.real)
c.is_dependent(c.dependent)
c.dependent.is_discrete
c.dependent(event_dim=1).event_dim
D.Normal.support
D.Uniform.support
D.Uniform.support.event_dim
c.cat([c.real,c.one_hot]).event_dim
c.stack([c.real],-1).event_dim
D.Normal(0.,-1.)
D.Normal("a",1.)
D.Normal(torch.zeros(2),torch.tensor([1.,-1.]))
D.Normal(0.,1.)
D.Normal(0,1).loc
D.Normal(torch.zeros(2),1.)
D.Normal(0.,1.).log_prob(3)
D.Normal(torch.zeros(2),1.).log_prob(torch.zeros(3))
D.Normal(0.,1.).log_prob(torch.tensor(float("nan")))
D.Bernoulli(0.5).log_prob(torch.tensor(2.))
D.Bernoulli()
D.Bernoulli(0.5,0.5)
D.Bernoulli(probs=torch.tensor([.2,.3]))
D.Bernoulli(logits=torch.tensor([.2,.3]))
D.Bernoulli(logits=torch.tensor([.2,.3])).probs
D.Bernoulli(1)
D.Bernoulli(torch.tensor([.5])).param_shape
D.Categorical(torch.tensor(1.))
D.Categorical(torch.tensor([1.,-1]))
D.Categorical(torch.ones(3))
D.Categorical(torch.ones(3)).log_prob(torch.tensor(5))
D.Categorical(torch.ones(3)).sample()
D.Categorical(torch.ones(2,3)).sample((2,))
D.MultivariateNormal(torch.zeros(2))
D.MultivariateNormal(torch.zeros(2),torch.eye(2))
D.MultivariateNormal(torch.tensor(0.),torch.eye(2))
D.MultivariateNormal(torch.zeros(2),torch.zeros(2))
D.MultivariateNormal(torch.zeros(2),scale_tril=torch.zeros(2))
D.MultivariateNormal(torch.zeros(2),precision_matrix=torch.zeros(2))
D.MultivariateNormal(torch.zeros(2),-torch.eye(2))
D.MultivariateNormal(torch.zeros(2),torch.eye(2)).log_prob(torch.zeros(3))
D.MultivariateNormal(torch.zeros(3,2),torch.eye(2)).expand((4,3)).sample().shape
D.MultivariateNormal(torch.zeros(2),torch.eye(2)).scale_tril
D.Independent(D.Normal(torch.zeros(2),1.),1)
D.Independent(D.Normal(torch.zeros(2),1.),2)
D.Independent(D.Bernoulli(torch.tensor([.5])),1).enumerate_support()
D.MixtureSameFamily(D.Categorical(torch.ones(2)),D.Normal(torch.zeros(2),1.))
D.MixtureSameFamily(D.Categorical(torch.ones(3)),D.Normal(torch.zeros(2),1.))
D.MixtureSameFamily(D.Normal(0.,1.),D.Normal(torch.zeros(2),1.))
D.Uniform(1.,0.)
D.Uniform(0.,1.).log_prob(torch.tensor(2.))
D.Uniform(0.,1.,validate_args=False).log_prob(torch.tensor(2.))
D.kl_divergence(D.Normal(0.,1.),D.Uniform(0.,1.))
D.kl_divergence(D.Normal(0.,1.),D.StudentT(1.))
D.Normal(0.,1.).enumerate_support()
D.Distribution().sample()
D.Distribution().mean
D.Distribution().mode
D.Distribution().arg_constraints
D.Distribution().support
D.Bernoulli(0.5).rsample()
D.Bernoulli(0.5).cdf(torch.tensor(0.))
D.Poisson(1.).entropy()
D.LogNormal(0.,1.)
D.LogNormal(0.,1.).mode
D.Gumbel(0.,1.)
D.TransformedDistribution(D.Normal(0.,1.),[D.ExpTransform()])
D.TransformedDistribution(D.Normal(0.,1.),3)
D.TransformedDistribution(D.Normal(0.,1.),[3])
D.TransformedDistribution(D.Normal(0.,1.),[D.StickBreakingTransform()])
D.TransformedDistribution(D.Normal(0.,1.),[D.AbsTransform()]).cdf(torch.tensor(1.))
D.ComposeTransform([D.ExpTransform(),D.AffineTransform(1.,2.)])
D.ExpTransform(cache_size=2)
D.ReshapeTransform((2,3),(6,))
D.ReshapeTransform((2,3),(5,))
D.ReshapeTransform((2,3),(6,))(torch.arange(6.).reshape(1,2,3))
D.ReshapeTransform((2,3),(6,)).forward_shape((1,3,3))
D.CatTransform([D.ExpTransform()])
D.StackTransform([D.ExpTransform()])
D.identity_transform
D.ComposeTransform([D.ExpTransform()])==D.ComposeTransform([D.ExpTransform()])
D.AffineTransform(1.,-2.).sign
D.ComposeTransform([D.ExpTransform(),D.AffineTransform(1.,-2.)]).sign
D.biject_to(c.positive)
D.transform_to(c.positive)
D.biject_to(c.simplex)
D.transform_to(c.simplex)
D.biject_to(c.real)
D.transform_to(c.real)
D.biject_to(c.unit_interval)
D.transform_to(c.unit_interval)
D.biject_to(c.positive_definite)
D.transform_to(c.positive_definite)
D.biject_to(c.lower_cholesky)
D.transform_to(c.lower_cholesky)
D.biject_to(c.boolean)
D.transform_to(c.boolean)
D.biject_to(c.corr_cholesky)
D.transform_to(c.corr_cholesky)
D.biject_to(c.real_vector)
D.transform_to(c.real_vector)
D.biject_to(c.nonnegative)
D.transform_to(c.nonnegative)
D.biject_to(c.lower_triangular)
D.transform_to(c.lower_triangular)
D.biject_to(c.interval(0,2))
D.transform_to(c.interval(0,2))
D.biject_to(c.interval(0.,1.))
D.transform_to(c.interval(0.,1.))
D.biject_to(c.less_than(2.))
D.transform_to(c.less_than(2.))
D.biject_to(c.greater_than(2.))
D.transform_to(c.greater_than(2.))
D.biject_to(c.independent(c.positive,1))
D.transform_to(c.independent(c.positive,1))
D.biject_to(c.half_open_interval(0,1))
D.transform_to(c.half_open_interval(0,1))
D.biject_to(c.cat([c.positive,c.real]))
D.transform_to(c.cat([c.positive,c.real]))
D.biject_to(c.stack([c.simplex]))
D.transform_to(c.stack([c.simplex]))
D.biject_to(c.positive_semidefinite)
D.transform_to(c.positive_semidefinite)
D.Multinomial(3,torch.ones(2))
D.Multinomial(torch.tensor([3]),torch.ones(2))
D.Binomial(torch.tensor([3.,4.]),torch.tensor(0.5)).enumerate_support()
D.Binomial(torch.tensor([3.,4.]),torch.tensor(0.5)).entropy()
D.Binomial(3,torch.tensor(0.5)).log_prob(torch.tensor(5.))
D.Dirichlet(torch.tensor(1.))
D.StudentT(3.)
D.LowRankMultivariateNormal(torch.zeros(2),torch.ones(3,1),torch.ones(2))
D.LowRankMultivariateNormal(torch.zeros(2),torch.ones(2),torch.ones(2))
D.LowRankMultivariateNormal(torch.zeros(2),torch.ones(2,1),torch.ones(3))
D.LowRankMultivariateNormal(torch.zeros(2),torch.ones(2,1),torch.ones(2)).precision_matrix
D.LKJCholesky(3,1.)
D.LKJCholesky(1)
D.Wishart(torch.tensor(0.5),torch.eye(2))
D.Wishart(torch.tensor(1.5),torch.eye(2))
D.Wishart(torch.tensor(3.),torch.eye(2)).mode
D.VonMises(torch.tensor(0.),torch.tensor(1.))
D.ContinuousBernoulli(torch.tensor(0.3))
D.ContinuousBernoulli(torch.tensor(1.3))
D.Geometric(torch.tensor(0.))
D.GeneralizedPareto(0.,1.,0.3)
D.Pareto(1.,2.)
D.Beta(1.,2.)
D.LogisticNormal(torch.zeros(2),torch.ones(2))
D.Normal(0.,1.).expand([2]).loc
D.Normal.set_default_validate_args("a")
D.Normal(0.,1.).sample_n(2)
D.Categorical(torch.ones(3)).mean
D.Multinomial(3,torch.ones(2)).mode
D.register_kl(int,int)
D.Uniform(0.,1.).mode
D.Weibull(1.,1.).mode
D.Uniform(0.,1.).arg_constraints
D.RelaxedBernoulli(torch.tensor(1.),torch.tensor(0.5)).temperature
type("M",(D.Distribution,),{})()
type("M",(D.Normal,),{"__init__":lambda s,a: D.Normal.__init__(s,0.,a)})(1.).expand([2])
D.Normal(torch.zeros(2),torch.ones(2)).perplexity()
D.utils.broadcast_all(1,torch.ones(2))
D.utils.vec_to_tril_matrix(torch.arange(6.),-1)
D.utils.vec_to_tril_matrix(torch.arange(6.))
D.utils.tril_matrix_to_vec(torch.arange(9.).reshape(3,3))
D.utils.tril_matrix_to_vec(torch.arange(9.).reshape(3,3),-1)
D.utils.vec_to_tril_matrix(torch.arange(5.))
D.utils.logits_to_probs(torch.tensor([1.,2.]))
D.utils.probs_to_logits(torch.tensor([0.,.5]))
D.utils.probs_to_logits(torch.tensor([0.,.5]),True)
D.utils.clamp_probs(torch.tensor([0.,1.]))
D.Normal(0.,1.).stddev
D.Exponential(2.).cdf(torch.tensor(-1.))
D.Normal(loc=0.,scale=1.,validate_args=True).icdf(torch.tensor(0.975))
D.Laplace(0.,1.).sample((3,))
D.Gamma(torch.tensor(2.),torch.tensor(1.)).sample((2,))
D.Poisson(torch.tensor(4.)).sample((3,))
D.Binomial(10,torch.tensor(.3)).sample((3,))
""".strip().splitlines()


def made(torch: Any, text: str, factor: float = 1.0) -> tuple[Any, list[Any]]:
    """The distribution that an expression gives, and the leaves of its parameters, float64."""
    leaves: list[Any] = []

    def leaf(value: Any) -> Any:
        tensor = torch.tensor(value, dtype=torch.float64) * factor
        leaves.append(tensor.requires_grad_())
        return leaves[-1]

    scope = {**vars(torch.distributions), "T": leaf, "torch": torch}
    return eval(text, scope), leaves


def digits(tensor: Any, leaves: list[Any], torch: Any, places: int = 5) -> Any:
    """The numbers of a tensor, and the gradients of the sum of those that are finite."""
    shown = [rounded(tensor.double().nan_to_num(9e9), places)]
    if tensor.requires_grad:
        finite = torch.where(torch.isfinite(tensor), tensor, torch.zeros_like(tensor)).sum()
        slopes = torch.autograd.grad(finite, leaves, allow_unused=True, retain_graph=True)
        shown += [None if s is None else rounded(s.nan_to_num(9e9), places) for s in slopes]
    return shown


def tried(function: Any) -> Any:
    """What a function returns, or the class of its error."""
    try:
        return function()
    except (NotImplementedError, AttributeError, AssertionError) as error:
        return type(error).__name__


def family(text: str, torch: Any) -> Any:
    """All that a distribution answers."""
    one, leaves = made(torch, text)
    show = partial(digits, leaves=leaves, torch=torch)
    fresh = not text.startswith("Wishart")  # PyTorch's backward fails
    coarse = 2 if text.startswith(IMPLICIT) else 5
    seen: dict[str, Any] = {
        "shown": [repr(one), list(one.batch_shape), list(one.event_shape),
                  bool(one.has_rsample), bool(one.has_enumerate_support)],
        "sample": rounded(one.sample((3,)).double(), 5),
        "rsample": tried(lambda: show(one.rsample((2,)), places=coarse)) if fresh else None,
        "next": rounded(torch.rand(()), 5),
    }  # fmt: skip
    value = one.sample((2,)).detach()
    third = torch.full(value.shape, 0.3, dtype=torch.float64)
    seen |= {
        "log_prob": show(one.log_prob(value)),
        "cdf": tried(lambda: show(one.cdf(value))),
        "icdf": tried(lambda: show(one.icdf(third))),
        "values": tried(lambda: rounded(one.enumerate_support())),
    }
    known = () if text.startswith("Kumaraswamy") else ("mode",)  # PyTorch's is NaN
    for name in ("mean", *known, "variance", "stddev"):
        seen[name] = tried(lambda name=name: show(getattr(one, name)))
    for name in ("entropy", "perplexity"):
        seen[name] = tried(lambda name=name: show(getattr(one, name)()))
    wide = one.expand((2, *one.batch_shape))
    seen["expanded"] = [repr(wide), rounded(wide.sample().double(), 5)]
    return seen


def divergences(torch: Any) -> Any:
    """KL of every pair that PyTorch knows, with gradients by the parameters of the first."""
    seen = {}
    for first, second in itertools.product(PAIRS, PAIRS):
        one, leaves = made(torch, PAIRS[first])
        other, _ = made(torch, PAIRS[second], 1.0 if second in UNSCALED else 1.1)
        value = tried(lambda: torch.distributions.kl_divergence(one, other))
        if not isinstance(value, str):
            seen[f"{first} {second}"] = digits(value, leaves, torch)
    return seen


UNSCALED = ("Bernoulli", "ContinuousBernoulli", "Geometric", "MultivariateNormal")


def chosen(torch: Any) -> Any:
    """Which function is chosen for classes of one's own, and where that is not clear."""
    D = torch.distributions

    class Mine(D.Normal):  # type: ignore[name-defined, misc]
        pass

    @D.register_kl(Mine, D.Normal)
    def _left(p: Any, q: Any) -> Any:
        return torch.tensor(1.0)

    @D.register_kl(D.Normal, Mine)
    def _right(p: Any, q: Any) -> Any:
        return torch.tensor(2.0)

    mine, plain = Mine(0.0, 1.0), D.Normal(0.0, 1.0)
    pairs = [(mine, plain), (plain, mine), (plain, plain), (mine, mine)]
    seen = [rounded(D.kl_divergence(p, q)) for p, q in pairs]
    for key in ((Mine, D.Normal), (D.Normal, Mine)):
        del D.kl._KL_REGISTRY[key]
    D.kl._KL_MEMOIZE.clear()
    return seen


def own(torch: Any) -> Any:
    """A distribution, a transform and a constraint that a program defines itself."""
    D = torch.distributions

    class Coin(D.Distribution):  # type: ignore[name-defined, misc]
        arg_constraints = {"p": D.constraints.unit_interval}
        support = D.constraints.boolean

        def __init__(self, p: Any) -> None:
            self.p = p
            super().__init__(p.shape)

        def log_prob(self, value: Any) -> Any:
            self._validate_sample(value)
            return torch.where(value > 0, self.p, 1 - self.p).log()

    class Shift(D.Transform):  # type: ignore[name-defined, misc]
        domain = codomain = D.constraints.real
        bijective, sign = True, 1

        def _call(self, x: Any) -> Any:
            return x + 1

        def _inverse(self, y: Any) -> Any:
            return y - 1

        def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
            return torch.zeros_like(x)

    coin = Coin(torch.tensor([0.25, 0.5]))
    moved = D.TransformedDistribution(D.Normal(0.0, 1.0), [Shift(), Shift()])
    return [repr(coin), rounded(coin.log_prob(torch.tensor([1.0, 0.0]))),
            attempt(lambda: coin.log_prob(torch.tensor([2.0, 0.0]))),
            attempt(lambda: coin.expand([3, 2])), attempt(lambda: coin.sample()),
            attempt(lambda: Coin(torch.tensor([2.0]))), rounded(moved.sample((2,))),
            rounded(moved.log_prob(torch.tensor(2.0))), rounded(moved.cdf(torch.tensor(2.0))),
            attempt(lambda: Shift().inv.inv is Shift())]  # fmt: skip


def texts(torch: Any) -> Any:
    """What expressions print, or their errors."""
    scope = {"D": torch.distributions, "c": torch.distributions.constraints, "torch": torch}
    seen = {}
    for text in EXPRESSIONS:
        torch.manual_seed(0)
        seen[text] = attempt(lambda text=text: repr(eval(text, scope)))
    return seen


def transforms(torch: Any) -> Any:
    """Values, inverses, Jacobians, sides and shapes."""
    x = torch.tensor([[0.3, 0.5, 0.7], [0.2, 0.1, 0.6], [0.4, 0.9, 0.8]])
    seen = {}
    for text in TRANSFORMS:
        one = eval(f"D.{text}", {"D": torch.distributions, "torch": torch})
        y = one(x)
        seen[text] = [
            rounded(y, 4), tried(lambda one=one, y=y: rounded(one.inv(y), 4)),
            tried(lambda one=one, y=y: rounded(one.log_abs_det_jacobian(x, y), 4)),
            *(attempt(lambda one=one, name=name: repr(getattr(one, name)))
              for name in ("domain", "codomain", "bijective", "sign", "event_dim")),
            attempt(lambda one=one: one.forward_shape((3, 3))),
            attempt(lambda one=one, y=y: one.inverse_shape(y.shape)),
        ]  # fmt: skip
    return seen


def cases() -> dict[str, Snippet]:
    """Every snippet by its name."""
    found: dict[str, Snippet] = {f"families.{text}": partial(family, text) for text in FAMILIES}
    named = (divergences, chosen, own, texts, transforms)
    return found | {f"families.{one.__name__}": one for one in named}
