-- Limits on the operations and the money of API keys and members, and on the money of customers.
ALTER TYPE "LimitMeasure" ADD VALUE 'money';
ALTER TABLE "Limit" ADD COLUMN "apiKeyId" TEXT, ADD COLUMN "memberId" TEXT;
ALTER TABLE "EnvironmentCounter" ADD COLUMN "limitsCallers" BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE "EnvironmentCounter" ALTER COLUMN "limitsCallers" DROP DEFAULT;
ALTER TABLE "OperationGauges" ADD COLUMN "reached" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "OperationGauges" ALTER COLUMN "reached" DROP DEFAULT;
