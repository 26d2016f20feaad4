-- Automatic top-ups of credits and balances, and their attempts.
CREATE TYPE "AutoTopUpStatus" AS ENUM ('on', 'off', 'paused');
CREATE TYPE "AutoTopUpReason" AS ENUM ('monthly_count', 'monthly_amount', 'min_pause', 'no_payment_method', 'subscription_status', 'charge_in_progress', 'declined', 'action_required', 'not_sellable', 'no_exchange_rate', 'below_minimum_charge', 'consent_outdated');
CREATE TYPE "AutoTopUpAttemptStatus" AS ENUM ('processing', 'succeeded', 'failed', 'skipped');

CREATE TABLE "AutoTopUp" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "status" "AutoTopUpStatus" NOT NULL,
    "pausedReason" "AutoTopUpReason",
    "pausedUntil" TIMESTAMPTZ(3),
    "threshold" BIGINT NOT NULL,
    "refill" JSONB NOT NULL,
    "maxPerMonth" INTEGER NOT NULL,
    "maxAmountPerMonth" BIGINT NOT NULL,
    "minPause" INTEGER NOT NULL,
    "consent" JSONB,
    "reason" "AutoTopUpReason",
    "nextAt" TIMESTAMPTZ(3),
    "declines" INTEGER NOT NULL,
    "firstDeclinedAt" TIMESTAMPTZ(3),
    "removedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AutoTopUp_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE TABLE "AutoTopUpAttempt" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "autoTopUpId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "status" "AutoTopUpAttemptStatus" NOT NULL,
    "reason" "AutoTopUpReason",
    "declineCode" TEXT,
    "amountMinor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "invoiceId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AutoTopUpAttempt_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE UNIQUE INDEX "AutoTopUp_environmentId_customerId_asset_key" ON "AutoTopUp"("environmentId", "customerId", "asset");
CREATE INDEX "AutoTopUp_environmentId_subscriptionId_idx" ON "AutoTopUp"("environmentId", "subscriptionId");
CREATE INDEX "AutoTopUpAttempt_environmentId_autoTopUpId_seq_idx" ON "AutoTopUpAttempt"("environmentId", "autoTopUpId", "seq");
ALTER TABLE "AutoTopUp" ADD CONSTRAINT "AutoTopUp_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "AutoTopUp" ADD CONSTRAINT "AutoTopUp_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "AutoTopUpAttempt" ADD CONSTRAINT "AutoTopUpAttempt_environmentId_autoTopUpId_fkey" FOREIGN KEY ("environmentId", "autoTopUpId") REFERENCES "AutoTopUp"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
