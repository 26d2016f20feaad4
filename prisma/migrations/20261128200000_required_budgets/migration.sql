-- Customers whose usage must name a budget.
ALTER TABLE "Customer" ADD COLUMN "requireBudget" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Customer" ALTER COLUMN "requireBudget" DROP DEFAULT;
