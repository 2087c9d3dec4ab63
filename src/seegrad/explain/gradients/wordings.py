"""The sentences of the findings: for each kind what happened, and the way out."""

from collections.abc import Sequence

__all__ = ["SENTENCES", "sentence", "spoken"]

# {names} get(s) no gradient: ...
SENTENCES = {
    "not-a-leaf": (
        "{names} {is} the result of {call}, not a leaf, so backward leaves no .grad there: "
        "call retain_grad() before backward, or make the tensor first and set requires_grad last"
    ),
    "never-used": (
        "{names} {takes} no part in the loss that backward ran on: use the result, "
        "or leave {it} out"
    ),
    "never-used-dropped": (
        "{names} {takes} no part in the loss that backward ran on: what came of {it} is dropped "
        "here; use it, or leave {it} out"
    ),
    "never-used-in-loss": (
        "this loss is computed from data alone, {names} {takes} no part in it: compute it from "
        "what the model returns"
    ),
    "requires-grad-never-set": (
        "{names} {was} made without requires_grad=True, so nothing is recorded for {it}: "
        "say requires_grad=True here, or call requires_grad_() before the computation"
    ),
    "buffer-not-parameter": (
        "{names} {is} a buffer, which is saved but never trained: make it an nn.Parameter"
    ),
    "backward-never-ran": (
        "backward() never ran on this loss, so {names} {has} no gradient: "
        "call loss.backward() before the step"
    ),
    "backward-not-reached": (
        "the program never gets to this backward(), so {names} {has} no gradient: check the "
        "condition that it stands under, or whether anybody calls its function"
    ),
    "backward-behind-return": (
        "the program never gets past this condition to backward(), so {names} {has} no gradient: "
        "check it"
    ),
    "backward-method-not-called": (
        "{call} is a method, which is named here and not called: that is always true, and "
        "backward() never runs; write {call}()"
    ),
    "backward-in-generator": (
        "{call} is a generator: calling it runs nothing of it, so backward() never ran; go "
        "through what it returns"
    ),
    "backward-not-called": (
        "backward is only named here, not called, so {names} {has} no gradient: "
        "write the parentheses, loss.backward()"
    ),
    "cut-detach": "detach() ends the history here, so {names} {gets} no gradient: leave it out",
    "cut-data": (
        ".data hands over numbers without their history, so {names} {gets} no gradient: "
        "use the tensor itself"
    ),
    "cut-no-grad": (
        "no_grad() is on here, so nothing is recorded and {names} {gets} no gradient: "
        "compute what shall learn outside of it"
    ),
    "cut-sample": (
        "sample() draws without a history, so {names} {gets} no gradient: use rsample()"
    ),
    "cut-inference-mode": (
        "inference_mode() is on here, so nothing is recorded and {names} {gets} no gradient: "
        "compute what shall learn outside of it"
    ),
    "cut-set-grad-enabled": (
        "set_grad_enabled(False) switches recording off here, so {names} {gets} no gradient: "
        "switch it on again before training"
    ),
    "cut-comparison": (
        "a comparison has no derivative, so {names} {gets} no gradient: "
        "use a smooth function, such as sigmoid, in the loss"
    ),
    "cut-argmax": (
        "{call} returns positions, which have no derivative, so {names} {gets} no gradient: "
        "compute the loss from the scores themselves"
    ),
    "cut-rounding": (
        "{call} has a derivative of zero everywhere, so {names} {gets} nothing through it: "
        "let it pass backward with x + ({call}(x) - x).detach()"
    ),
    "cut-integer-cast": (
        "whole numbers carry no gradient: {names} {gets} none through this cast; "
        "keep a floating dtype"
    ),
    "cut-bool-cast": (
        "a bool carries no gradient: {names} {gets} none through this mask; "
        "multiply by a smooth gate instead"
    ),
    "recreated-tensor": (
        "a new tensor is made here from the numbers only, so {names} {gets} no gradient: "
        "use torch.stack or the tensor itself"
    ),
    "recreated-numpy": (
        "the values went through NumPy and came back without their history, so {names} {gets} "
        "no gradient, most likely: compute this in torch"
    ),
    "recreated-item": (
        "a plain Python number is taken out here, so {names} {gets} no gradient, most likely: "
        "keep the tensor"
    ),
    "recreated-math": (
        "a function of math returns a plain number, so {names} {gets} no gradient, most likely: "
        "use the function of torch"
    ),
    "replaced-parameter": (
        "a new tensor takes the place of {names} here, and the old one is what gets the "
        "gradient or the steps: change it in place under no_grad, or make the optimizer afterwards"
    ),
    "copied-not-linked": (
        "only numbers are copied here, there is no link, so {names} {gets} no gradient: "
        "compute with the tensor itself (torch.func.functional_call, F.linear)"
    ),
    "forced-requires-grad": (
        "the loss has no history; asking it for requires_grad makes it a new leaf and only "
        "silences the error, so {names} {gets} no gradient: find out what cut the loss"
    ),
    "forced-numbers": (
        "this new tensor is made of plain numbers; requires_grad=True only silences the error, so "
        "{names} {gets} no gradient: keep the tensors that the numbers were taken from"
    ),
    "reset-by-zero-grad": (
        "the gradient of {names} is put away here before it is read: read it before zero_grad()"
    ),
    "frozen": (
        "{names} {is} frozen here (requires_grad is False), so {gets} no gradient: "
        "leave out of the freezing what shall learn"
    ),
    "history-overwritten": (
        "this write in place puts other values where those of {names} were, so {names} {gets} "
        "no gradient: write to a new tensor"
    ),
    "view-regenerated": (
        "{names} {is} a view that this write in place gave a new history, so no .grad is kept: "
        "call retain_grad() after the write, or work out of place"
    ),
    "zero-dead-relu": (
        "every input of this relu is negative, its derivative is 0, so the gradient of {names} "
        "is 0: change the initialisation, the bias or the learning rate"
    ),
    "zero-clamp": (
        "every value lies outside of the bounds here, where the derivative is 0, so the gradient "
        "of {names} is 0: widen the bounds, or use a smooth function"
    ),
    "zero-multiplied": "the factor here is 0, so the gradient of {names} is 0: check the factor",
    "zero-mask": "the mask here leaves nothing, so the gradient of {names} is 0: check the mask",
    "zero-dropped": (
        "{call} drops everything here, so the gradient of {names} is 0: p is the share that is "
        "dropped, not the share that is kept"
    ),
    "zero-unused-state": (
        "only a part is read here, and {names} {goes} into the rest, so the gradient is 0: "
        "use all of it"
    ),
}  # fmt: skip

SINGULAR = {
    "is": "is", "was": "was", "has": "has", "gets": "gets", "takes": "takes", "it": "it",
    "goes": "goes",
}  # fmt: skip
PLURAL = {
    "is": "are", "was": "were", "has": "have", "gets": "get", "takes": "take", "it": "them",
    "goes": "go",
}  # fmt: skip


def spoken(names: Sequence[str]) -> str:
    """Names as they are said: "w", "w and b", "a, b and 3 more"."""
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def sentence(kind: str, names: Sequence[str], call: str = "") -> str:
    """What is said of tensors."""
    words = PLURAL if len(names) > 1 else SINGULAR
    return SENTENCES[kind].format(
        names=spoken(names) if names else "the tensor", call=call or "a computation", **words
    )
