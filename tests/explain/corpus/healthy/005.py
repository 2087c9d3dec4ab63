# healthy: first steps with leaves, detach, retain_grad and retain_graph, from Korean blogs
import torch

a = torch.Tensor([1, 2, 3])
a.requires_grad = True
b = a.sum()
b.backward()
print(a.grad)  # tensor([1., 1., 1.])
b.backward()
print(a.grad)  # tensor([2., 2., 2.])

c = torch.Tensor([4])
d = torch.Tensor([3])
c.requires_grad = True
e = c * d
f = e.grad_fn
print(f._saved_self, f._saved_other, sep=", ")

# 1. 직접 생성 + requires_grad=True
x = torch.tensor([1.0, 2.0], requires_grad=True)
# 2. x를 이용한 연산 결과
y = x * 2
print(x.is_leaf, x.requires_grad)  # True,  True
print(y.is_leaf, y.requires_grad)  # False, True
# 3. detach(): 기존 계산 그래프와 연결을 끊음
z = y.detach()
print(z.is_leaf, z.requires_grad)  # True, False
# 4. detach된 tensor에서 gradient 계산을 다시 시작
z.requires_grad_()
print(z.is_leaf, z.requires_grad)  # True, True
# 5. y는 non-leaf이므로 gradient를 저장하려면 retain_grad() 필요
y.retain_grad()
loss1 = y.sum()
loss1.backward()
print(x.grad, y.grad)
# 6. z는 x, y와 연결이 끊어진 새로운 leaf tensor
loss2 = (z * 3).sum()
loss2.backward()
print(z.grad)  # tensor([3., 3.])
print(x.grad)  # tensor([2., 2.])

x.grad.zero_()
a = 2 * x + 10
b = 3 * a
b.retain_grad()
c = 2 * b
c.backward(torch.ones(c.shape), retain_graph=True)
c.backward(torch.ones(c.shape))
print(x.grad, b.grad)
