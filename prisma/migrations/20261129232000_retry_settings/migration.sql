-- The days of payment retries, and the effect of the last declined retry. Subscriptions keep the settings that applied when their payment failed.
CREATE TYPE "LastRetryAction" AS ENUM ('cancel', 'keep_past_due');
ALTER TABLE "Organization" ADD COLUMN "retryDays" INTEGER[] NOT NULL DEFAULT ARRAY[1, 3, 5, 7],
ADD COLUMN "lastRetryAction" "LastRetryAction" NOT NULL DEFAULT 'cancel';
ALTER TABLE "Organization" ALTER COLUMN "retryDays" DROP DEFAULT;
ALTER TABLE "Organization" ALTER COLUMN "lastRetryAction" DROP DEFAULT;
ALTER TABLE "Subscription" ADD COLUMN "retryTerms" JSONB;
UPDATE "Subscription" SET "retryTerms" = '{"retryDays": [1, 3, 5, 7], "lastRetryAction": "cancel"}' WHERE "dunningStartedAt" IS NOT NULL;
