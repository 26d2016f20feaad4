-- Instructions to payers who start a payment themselves, such as a Pix code.
ALTER TABLE "Transaction" ADD COLUMN "expiresAt" TIMESTAMPTZ(3),
ADD COLUMN "instructions" JSONB;
