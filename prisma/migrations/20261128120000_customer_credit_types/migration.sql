-- Values for customer credits, which become lots. A transaction can't use the values that it adds.
ALTER TYPE "LotSource" ADD VALUE 'customer_credit' BEFORE 'overdraft';
ALTER TYPE "ConsumptionEntryType" ADD VALUE 'reversed';
