# healthy: a walk over grad_fn and next_functions, from a Korean blog on autograd
import torch


def print_grad_graph(grad_fn, level=0):
    print(" " * level, type(grad_fn).__name__)
    if hasattr(grad_fn, "next_functions"):
        for next_func in grad_fn.next_functions:
            if next_func[0] is not None:
                print_grad_graph(next_func[0], level + 1)


# 사용 예시
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.tensor([4.0, 5.0, 6.0], requires_grad=True)
z = x * y
w = z.sum()

print_grad_graph(w.grad_fn)


class MyCustomFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        return grad_output * y, grad_output * x


# 사용 예시
custom_op = MyCustomFunction.apply
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = custom_op(a, b)
print("c.grad_fn:", type(c.grad_fn).__name__)
print("next_functions:", [(type(f).__name__, i) for f, i in c.grad_fn.next_functions])

# 하나의 tensor를 두 부분으로 분할
x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
a, b = torch.chunk(x, 2)  # 두 개의 output 생성
c = a.sum() + b.sum()
for i, (grad_fn, _) in enumerate(c.grad_fn.next_functions):
    print(f"grad_fn[{i}].next_functions:", [i for _, i in grad_fn.next_functions])
