-- CreateEnum
CREATE TYPE "FeatureType" AS ENUM ('boolean', 'usage', 'seats', 'quota');

-- CreateEnum
CREATE TYPE "ConsumptionModel" AS ENUM ('metered', 'credits', 'balance');

-- CreateEnum
CREATE TYPE "PricingMode" AS ENUM ('fixed', 'ai_model');

-- CreateEnum
CREATE TYPE "BillingInterval" AS ENUM ('weekly', 'monthly', 'quarterly', 'yearly', 'one_time');

-- CreateEnum
CREATE TYPE "InvoiceStatus" AS ENUM ('draft', 'outstanding', 'paid', 'void', 'uncollectible');

-- CreateEnum
CREATE TYPE "InvoiceType" AS ENUM ('recurring', 'overage', 'plan_change', 'adjustment', 'credit_purchase', 'balance_topup', 'addon_activation', 'one_time_payment', 'reactivation');

-- CreateEnum
CREATE TYPE "InvoiceLineType" AS ENUM ('plan_base', 'feature_overage', 'feature_seats', 'feature_quota', 'discount', 'promo_code_discount', 'credit', 'balance_overage', 'addon_base', 'one_time');

-- CreateEnum
CREATE TYPE "InvoiceChargeType" AS ENUM ('standard', 'advance', 'true_up');

-- CreateEnum
CREATE TYPE "TransactionStatus" AS ENUM ('pending', 'succeeded', 'failed', 'refunded', 'disputed');

-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('live', 'sandbox');

-- CreateEnum
CREATE TYPE "DeadlineState" AS ENUM ('ready', 'parked', 'failed');

-- CreateEnum
CREATE TYPE "IdempotencyState" AS ENUM ('claimed', 'applied', 'answered');

-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('draft', 'pending_payment', 'trialing', 'active', 'past_due', 'canceled');

-- CreateEnum
CREATE TYPE "PaymentProvider" AS ENUM ('platform', 'stripe', 'dlocal');

-- CreateEnum
CREATE TYPE "OfferApplicationSource" AS ENUM ('direct', 'introductory', 'promo_code', 'card_promotion', 'custom');

-- CreateEnum
CREATE TYPE "OfferApplicationStatus" AS ENUM ('quoted', 'applied', 'failed', 'expired');

-- CreateEnum
CREATE TYPE "TestClockRunStatus" AS ENUM ('pending', 'running', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "TestClockItemKind" AS ENUM ('billing_cycle', 'dunning_retry');

-- CreateEnum
CREATE TYPE "TestClockItemStatus" AS ENUM ('pending', 'processing', 'completed', 'failed');

-- CreateTable
CREATE TABLE "Feature" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" "FeatureType" NOT NULL,
    "description" TEXT,
    "unitName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Feature_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Plan" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "description" TEXT,
    "consumptionModel" "ConsumptionModel" NOT NULL,
    "isPublic" BOOLEAN NOT NULL,
    "isDefault" BOOLEAN NOT NULL,
    "isFree" BOOLEAN NOT NULL,
    "blockOnExhaustion" BOOLEAN NOT NULL,
    "sortOrder" INTEGER NOT NULL,
    "planGroupId" TEXT,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Plan_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanFeature" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "includedAmount" BIGINT NOT NULL,
    "unlimited" BOOLEAN NOT NULL,
    "overageEnabled" BOOLEAN NOT NULL,
    "unitPriceRate" BIGINT,
    "creditsPerUnit" BIGINT,
    "pricingMode" "PricingMode" NOT NULL,
    "marginBps" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlanFeature_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanFeatureVersion" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "attached" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "includedAmount" BIGINT NOT NULL,
    "unlimited" BOOLEAN NOT NULL,
    "overageEnabled" BOOLEAN NOT NULL,
    "unitPriceRate" BIGINT,
    "creditsPerUnit" BIGINT,
    "pricingMode" "PricingMode" NOT NULL,
    "marginBps" INTEGER,

    CONSTRAINT "PlanFeatureVersion_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanPrice" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "billingInterval" "BillingInterval" NOT NULL,
    "priceMinor" BIGINT NOT NULL,
    "isDefault" BOOLEAN NOT NULL,
    "trialDays" INTEGER NOT NULL,
    "includedBalanceRate" BIGINT,
    "includedCredits" BIGINT,
    "inheritsFromPriceId" TEXT,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PlanPrice_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanPriceVersion" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "priceId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "priceMinor" BIGINT NOT NULL,
    "trialDays" INTEGER NOT NULL,
    "includedBalanceRate" BIGINT,
    "includedCredits" BIGINT,

    CONSTRAINT "PlanPriceVersion_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Customer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "externalId" TEXT,
    "email" TEXT NOT NULL,
    "fullName" TEXT NOT NULL,
    "taxDocument" TEXT,
    "documentType" TEXT,
    "timezone" TEXT NOT NULL,
    "address" JSONB,
    "country" TEXT,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Customer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PaymentMethod" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "provider" "PaymentProvider" NOT NULL,
    "reference" TEXT NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "expMonth" INTEGER NOT NULL,
    "expYear" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PaymentMethod_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Invoice" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT,
    "number" BIGINT NOT NULL,
    "status" "InvoiceStatus" NOT NULL,
    "type" "InvoiceType" NOT NULL,
    "currency" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "discountAmount" BIGINT NOT NULL,
    "creditApplied" BIGINT NOT NULL,
    "taxAmount" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "periodStart" TIMESTAMPTZ(3) NOT NULL,
    "periodEnd" TIMESTAMPTZ(3) NOT NULL,
    "issueDate" TIMESTAMPTZ(3) NOT NULL,
    "dueDate" TIMESTAMPTZ(3) NOT NULL,
    "planName" TEXT,
    "memo" TEXT,
    "poNumber" TEXT,
    "reference" TEXT,
    "metadata" JSONB NOT NULL,
    "paidAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Invoice_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "InvoiceLine" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "invoiceId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "lineType" "InvoiceLineType" NOT NULL,
    "chargeType" "InvoiceChargeType" NOT NULL,
    "description" TEXT NOT NULL,
    "featureName" TEXT,
    "quantity" BIGINT NOT NULL,
    "unitAmountRate" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "includedAmount" BIGINT,
    "usedAmount" BIGINT,
    "overageAmount" BIGINT,
    "discountType" TEXT,
    "discountValue" BIGINT,
    "discountName" TEXT,

    CONSTRAINT "InvoiceLine_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Transaction" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT,
    "invoiceId" TEXT,
    "paymentMethodId" TEXT,
    "provider" "PaymentProvider" NOT NULL,
    "status" "TransactionStatus" NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "taxMinor" BIGINT NOT NULL,
    "declineCode" TEXT,
    "paidAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Transaction_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "LedgerTransfer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "fact" TEXT NOT NULL,
    "debitAccount" TEXT NOT NULL,
    "creditAccount" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "customerId" TEXT,
    "subscriptionId" TEXT,
    "invoiceId" TEXT,
    "transactionId" TEXT,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LedgerTransfer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Organization" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "country" TEXT,
    "businessType" TEXT,
    "pinnedVersion" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Environment" (
    "id" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Environment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKeyHash" (
    "hash" TEXT NOT NULL,
    "environmentId" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,

    CONSTRAINT "ApiKeyHash_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "EnvironmentLease" (
    "environmentId" TEXT NOT NULL,
    "nextDueAt" TIMESTAMPTZ(3),
    "leaseUntil" TIMESTAMPTZ(3),
    "leaseOwner" TEXT,

    CONSTRAINT "EnvironmentLease_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "Setting" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "EnvironmentCounter" (
    "environmentId" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "invoiceNumber" BIGINT NOT NULL,
    "eventPosition" BIGINT NOT NULL,

    CONSTRAINT "EnvironmentCounter_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Event" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "customerId" TEXT,
    "subscriptionId" TEXT,
    "cause" TEXT,
    "data" JSONB NOT NULL,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Deadline" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "subjectSeq" BIGINT NOT NULL,
    "state" "DeadlineState" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "notBefore" TIMESTAMPTZ(3),
    "data" JSONB NOT NULL,

    CONSTRAINT "Deadline_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "state" "IdempotencyState" NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "progress" JSONB NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "isEncrypted" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Subscription" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "planId" TEXT NOT NULL,
    "priceId" TEXT,
    "name" TEXT,
    "description" TEXT,
    "status" "SubscriptionStatus" NOT NULL,
    "billingInterval" "BillingInterval",
    "currency" TEXT NOT NULL,
    "provider" "PaymentProvider",
    "paymentMethodId" TEXT,
    "startDate" TIMESTAMPTZ(3) NOT NULL,
    "endDate" TIMESTAMPTZ(3),
    "anchorDate" TIMESTAMPTZ(3),
    "periodStart" TIMESTAMPTZ(3),
    "periodEnd" TIMESTAMPTZ(3),
    "windowStart" TIMESTAMPTZ(3),
    "windowEnd" TIMESTAMPTZ(3),
    "trialEndsAt" TIMESTAMPTZ(3),
    "termsFrom" TIMESTAMPTZ(3),
    "effectiveBaseMinor" BIGINT NOT NULL,
    "cancelAtPeriodEnd" BOOLEAN NOT NULL,
    "cancellationScheduledAt" TIMESTAMPTZ(3),
    "cancelReason" TEXT,
    "cancelEffectiveAt" TIMESTAMPTZ(3),
    "canceledAt" TIMESTAMPTZ(3),
    "activatedAt" TIMESTAMPTZ(3),
    "checkoutInvoiceId" TEXT,
    "dunningInvoiceId" TEXT,
    "dunningStartedAt" TIMESTAMPTZ(3),
    "dunningAttempts" INTEGER NOT NULL,
    "selection" JSONB NOT NULL,
    "initialSeats" JSONB NOT NULL,
    "scheduledChange" JSONB,
    "successUrl" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Subscription_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "OfferApplication" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "targetType" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "offerId" TEXT,
    "source" "OfferApplicationSource" NOT NULL,
    "status" "OfferApplicationStatus" NOT NULL,
    "currency" TEXT,
    "subtotalMinor" BIGINT,
    "discountMinor" BIGINT,
    "totalMinor" BIGINT,
    "phases" JSONB NOT NULL,
    "quotedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "appliedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OfferApplication_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "TestClock" (
    "environmentId" TEXT NOT NULL,
    "simulatedTime" TIMESTAMPTZ(3),

    CONSTRAINT "TestClock_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "TestClockRun" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "status" "TestClockRunStatus" NOT NULL,
    "startedAtTime" TIMESTAMPTZ(3) NOT NULL,
    "targetTime" TIMESTAMPTZ(3) NOT NULL,
    "cursorTime" TIMESTAMPTZ(3) NOT NULL,
    "estimatedDeadlineCount" INTEGER NOT NULL,
    "completedDeadlineCount" INTEGER NOT NULL,
    "failedDeadlineCount" INTEGER NOT NULL,
    "executedInstantCount" INTEGER NOT NULL,
    "isCancelRequested" BOOLEAN NOT NULL,
    "error" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "TestClockRun_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "TestClockRunItem" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "runId" TEXT NOT NULL,
    "kind" "TestClockItemKind" NOT NULL,
    "status" "TestClockItemStatus" NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "customerName" TEXT,
    "invoiceId" TEXT,
    "outcome" TEXT,
    "detail" TEXT,
    "error" TEXT,

    CONSTRAINT "TestClockRunItem_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Feature_environmentId_createdAt_seq_idx" ON "Feature"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Plan_environmentId_createdAt_seq_idx" ON "Plan"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PlanFeature_environmentId_featureId_idx" ON "PlanFeature"("environmentId", "featureId");

-- CreateIndex
CREATE UNIQUE INDEX "PlanFeature_environmentId_planId_featureId_key" ON "PlanFeature"("environmentId", "planId", "featureId");

-- CreateIndex
CREATE INDEX "PlanFeatureVersion_environmentId_planId_featureId_validFrom_idx" ON "PlanFeatureVersion"("environmentId", "planId", "featureId", "validFrom");

-- CreateIndex
CREATE INDEX "PlanFeatureVersion_environmentId_featureId_idx" ON "PlanFeatureVersion"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "PlanPrice_environmentId_planId_idx" ON "PlanPrice"("environmentId", "planId");

-- CreateIndex
CREATE INDEX "PlanPrice_environmentId_createdAt_seq_idx" ON "PlanPrice"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PlanPriceVersion_environmentId_priceId_validFrom_idx" ON "PlanPriceVersion"("environmentId", "priceId", "validFrom");

-- CreateIndex
CREATE INDEX "Customer_environmentId_createdAt_seq_idx" ON "Customer"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Customer_environmentId_externalId_key" ON "Customer"("environmentId", "externalId");

-- CreateIndex
CREATE INDEX "PaymentMethod_environmentId_customerId_idx" ON "PaymentMethod"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_customerId_createdAt_seq_idx" ON "Invoice"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_subscriptionId_createdAt_seq_idx" ON "Invoice"("environmentId", "subscriptionId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_createdAt_seq_idx" ON "Invoice"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Invoice_environmentId_number_key" ON "Invoice"("environmentId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "InvoiceLine_environmentId_invoiceId_position_key" ON "InvoiceLine"("environmentId", "invoiceId", "position");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_invoiceId_idx" ON "Transaction"("environmentId", "invoiceId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_customerId_idx" ON "Transaction"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_subscriptionId_idx" ON "Transaction"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_paymentMethodId_idx" ON "Transaction"("environmentId", "paymentMethodId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_createdAt_seq_idx" ON "Transaction"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "LedgerTransfer_environmentId_customerId_idx" ON "LedgerTransfer"("environmentId", "customerId");

-- CreateIndex
CREATE UNIQUE INDEX "Environment_organizationId_mode_key" ON "Environment"("organizationId", "mode");

-- CreateIndex
CREATE INDEX "ApiKeyHash_environmentId_apiKeyId_idx" ON "ApiKeyHash"("environmentId", "apiKeyId");

-- CreateIndex
CREATE INDEX "EnvironmentLease_nextDueAt_idx" ON "EnvironmentLease"("nextDueAt");

-- CreateIndex
CREATE INDEX "ApiKey_environmentId_createdAt_seq_idx" ON "ApiKey"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Event_environmentId_position_key" ON "Event"("environmentId", "position");

-- CreateIndex
CREATE UNIQUE INDEX "Event_environmentId_cause_key" ON "Event"("environmentId", "cause");

-- CreateIndex
CREATE INDEX "Deadline_environmentId_state_dueAt_rank_subjectSeq_idx" ON "Deadline"("environmentId", "state", "dueAt", "rank", "subjectSeq");

-- CreateIndex
CREATE INDEX "Deadline_environmentId_subscriptionId_idx" ON "Deadline"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "IdempotencyKey_expiresAt_idx" ON "IdempotencyKey"("expiresAt");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_customerId_idx" ON "Subscription"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_planId_idx" ON "Subscription"("environmentId", "planId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_priceId_idx" ON "Subscription"("environmentId", "priceId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_paymentMethodId_idx" ON "Subscription"("environmentId", "paymentMethodId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_createdAt_seq_idx" ON "Subscription"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_status_createdAt_seq_idx" ON "Subscription"("environmentId", "status", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_subscriptionId_seq_idx" ON "OfferApplication"("environmentId", "subscriptionId", "seq");

-- CreateIndex
CREATE INDEX "TestClockRun_environmentId_seq_idx" ON "TestClockRun"("environmentId", "seq");

-- CreateIndex
CREATE INDEX "TestClockRunItem_environmentId_runId_seq_idx" ON "TestClockRunItem"("environmentId", "runId", "seq");

-- CreateIndex
CREATE INDEX "TestClockRunItem_environmentId_subscriptionId_idx" ON "TestClockRunItem"("environmentId", "subscriptionId");

-- AddForeignKey
ALTER TABLE "PlanFeature" ADD CONSTRAINT "PlanFeature_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeature" ADD CONSTRAINT "PlanFeature_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeatureVersion" ADD CONSTRAINT "PlanFeatureVersion_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeatureVersion" ADD CONSTRAINT "PlanFeatureVersion_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPrice" ADD CONSTRAINT "PlanPrice_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPrice" ADD CONSTRAINT "PlanPrice_environmentId_inheritsFromPriceId_fkey" FOREIGN KEY ("environmentId", "inheritsFromPriceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPriceVersion" ADD CONSTRAINT "PlanPriceVersion_environmentId_priceId_fkey" FOREIGN KEY ("environmentId", "priceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PaymentMethod" ADD CONSTRAINT "PaymentMethod_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_paymentMethodId_fkey" FOREIGN KEY ("environmentId", "paymentMethodId") REFERENCES "PaymentMethod"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Environment" ADD CONSTRAINT "Environment_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Deadline" ADD CONSTRAINT "Deadline_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_priceId_fkey" FOREIGN KEY ("environmentId", "priceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_paymentMethodId_fkey" FOREIGN KEY ("environmentId", "paymentMethodId") REFERENCES "PaymentMethod"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TestClockRunItem" ADD CONSTRAINT "TestClockRunItem_environmentId_runId_fkey" FOREIGN KEY ("environmentId", "runId") REFERENCES "TestClockRun"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TestClockRunItem" ADD CONSTRAINT "TestClockRunItem_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
