"""Draws, densities, moments and divergences: the names of `torch.distributions`."""

from seegrad.distributions import constraint_registry, constraints, kl, transforms, utils
from seegrad.distributions.bernoulli import Bernoulli
from seegrad.distributions.beta import Beta
from seegrad.distributions.binomial import Binomial
from seegrad.distributions.categorical import Categorical
from seegrad.distributions.cauchy import Cauchy
from seegrad.distributions.chi2 import Chi2
from seegrad.distributions.constraint_registry import biject_to, transform_to
from seegrad.distributions.continuous_bernoulli import ContinuousBernoulli
from seegrad.distributions.dirichlet import Dirichlet
from seegrad.distributions.distribution import Distribution
from seegrad.distributions.exp_family import ExponentialFamily
from seegrad.distributions.exponential import Exponential
from seegrad.distributions.fishersnedecor import FisherSnedecor
from seegrad.distributions.gamma import Gamma
from seegrad.distributions.generalized_pareto import GeneralizedPareto
from seegrad.distributions.geometric import Geometric
from seegrad.distributions.gumbel import Gumbel
from seegrad.distributions.half_cauchy import HalfCauchy
from seegrad.distributions.half_normal import HalfNormal
from seegrad.distributions.independent import Independent
from seegrad.distributions.inverse_gamma import InverseGamma
from seegrad.distributions.kl import kl_divergence, register_kl
from seegrad.distributions.kumaraswamy import Kumaraswamy
from seegrad.distributions.laplace import Laplace
from seegrad.distributions.lkj_cholesky import LKJCholesky
from seegrad.distributions.log_normal import LogNormal
from seegrad.distributions.logistic_normal import LogisticNormal
from seegrad.distributions.lowrank_multivariate_normal import LowRankMultivariateNormal
from seegrad.distributions.mixture_same_family import MixtureSameFamily
from seegrad.distributions.multinomial import Multinomial
from seegrad.distributions.multivariate_normal import MultivariateNormal
from seegrad.distributions.negative_binomial import NegativeBinomial
from seegrad.distributions.normal import Normal
from seegrad.distributions.one_hot_categorical import (
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
)
from seegrad.distributions.pareto import Pareto
from seegrad.distributions.poisson import Poisson
from seegrad.distributions.relaxed_bernoulli import RelaxedBernoulli
from seegrad.distributions.relaxed_categorical import RelaxedOneHotCategorical
from seegrad.distributions.studentT import StudentT
from seegrad.distributions.transformed_distribution import TransformedDistribution
from seegrad.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from seegrad.distributions.uniform import Uniform
from seegrad.distributions.von_mises import VonMises
from seegrad.distributions.weibull import Weibull
from seegrad.distributions.wishart import Wishart
from seegrad.missing import missing as _missing

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Binomial",
    "CatTransform",
    "Categorical",
    "Cauchy",
    "Chi2",
    "ComposeTransform",
    "ContinuousBernoulli",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "ExponentialFamily",
    "FisherSnedecor",
    "Gamma",
    "GeneralizedPareto",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "IndependentTransform",
    "InverseGamma",
    "Kumaraswamy",
    "LKJCholesky",
    "Laplace",
    "LogNormal",
    "LogisticNormal",
    "LowRankMultivariateNormal",
    "LowerCholeskyTransform",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Pareto",
    "Poisson",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
    "StudentT",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "VonMises",
    "Weibull",
    "Wishart",
    "biject_to",
    "identity_transform",
    "kl_divergence",
    "register_kl",
    "transform_to",
]

__getattr__ = _missing(__name__, globals())
