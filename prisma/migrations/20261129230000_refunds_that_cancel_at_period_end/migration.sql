-- Refunds that cancel the subscription at the end of the period. Earlier refunds cancel immediately.
ALTER TABLE "Refund" ADD COLUMN "cancelAtPeriodEnd" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Refund" ALTER COLUMN "cancelAtPeriodEnd" DROP DEFAULT;
