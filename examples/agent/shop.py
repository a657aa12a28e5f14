from stockroom import read_orders  # not installed here: this file cannot be imported


def unit_price(price, amount):
    result = price
    if amount > 3:
        result = price + 2
    return result


def total(prices, amount):
    result = 0
    for price in prices:
        result = result + unit_price(price, amount)
    return result


print(total(*read_orders()))
