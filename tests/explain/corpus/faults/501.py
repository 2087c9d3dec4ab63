# cause: cancellation
# says: seconds since 1970 do not fit into float32, so the intervals between them come out as 0
# follows: forum: "loss of precision when I convert unix timestamps to a tensor"
import torch

torch.manual_seed(0)
records = [(1700000000.10, 0.0), (1700000000.60, 0.5), (1700000001.20, 1.1), (1700000002.00, 1.9)]


def rates(rows):
    time = torch.tensor([when for when, _ in rows])
    height = torch.tensor([h for _, h in rows])
    step = time[1:] - time[:-1]  # <- here
    return (height[1:] - height[:-1]) / step


print("rates", rates(records))
