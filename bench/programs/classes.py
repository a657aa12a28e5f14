class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount
        return self.balance

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True


def main(n):
    account = Account('Ada', 100)
    refused = 0
    for i in range(n):
        account.deposit(i % 7)
        if not account.withdraw(i % 11):
            refused += 1
    return refused
