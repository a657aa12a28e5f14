def cut(price, discount):
    if price > discount:
        return price - discount
    return 0


def total(prices, discount):
    result = 0
    for price in prices:
        result = result + cut(price, discount)
    return result
