-- CreateEnum
CREATE TYPE "FeatureType" AS ENUM ('boolean', 'usage', 'seats', 'quota');

-- CreateEnum
CREATE TYPE "ConsumptionModel" AS ENUM ('metered', 'credits', 'balance');

-- CreateEnum
CREATE TYPE "PricingMode" AS ENUM ('fixed', 'ai_model');

-- CreateEnum
CREATE TYPE "BillingInterval" AS ENUM ('weekly', 'monthly', 'quarterly', 'yearly', 'one_time');

-- CreateEnum
CREATE TYPE "AddonConsumptionModel" AS ENUM ('boolean', 'metered', 'credits', 'balance');

-- CreateEnum
CREATE TYPE "ConsumptionPool" AS ENUM ('plan_credits', 'purchased_credits', 'money_balance');

-- CreateEnum
CREATE TYPE "ConsumptionEntryType" AS ENUM ('grant', 'reset', 'expiry', 'consumption', 'purchase', 'topup', 'adjustment');

-- CreateEnum
CREATE TYPE "CustomerCreditSource" AS ENUM ('dashboard', 'api', 'plan_change', 'migration');

-- CreateEnum
CREATE TYPE "EmailKind" AS ENUM ('checkout', 'receipt', 'invoice', 'payment_failed', 'trial_ending', 'card_expiring', 'subscription_canceled', 'refund', 'credit_note');

-- CreateEnum
CREATE TYPE "EmailStatus" AS ENUM ('pending', 'sending', 'sent', 'failed', 'unconfirmed', 'canceled', 'kept');

-- CreateEnum
CREATE TYPE "EmailAudience" AS ENUM ('customer', 'organization', 'portal');

-- CreateEnum
CREATE TYPE "ExportFormat" AS ENUM ('ndjson', 'csv', 'parquet');

-- CreateEnum
CREATE TYPE "ExportStatus" AS ENUM ('queued', 'running', 'delivering', 'completed', 'failed', 'canceled');

-- CreateEnum
CREATE TYPE "ExportFrequency" AS ENUM ('daily', 'weekly', 'monthly');

-- CreateEnum
CREATE TYPE "InvoiceStatus" AS ENUM ('draft', 'outstanding', 'paid', 'void', 'uncollectible');

-- CreateEnum
CREATE TYPE "InvoiceType" AS ENUM ('recurring', 'overage', 'plan_change', 'adjustment', 'credit_purchase', 'balance_topup', 'addon_activation', 'one_time_payment', 'reactivation');

-- CreateEnum
CREATE TYPE "CreditNoteReason" AS ENUM ('refund', 'void', 'adjustment');

-- CreateEnum
CREATE TYPE "InvoiceLineType" AS ENUM ('plan_base', 'feature_overage', 'feature_seats', 'feature_quota', 'discount', 'promo_code_discount', 'credit', 'balance_overage', 'addon_base', 'one_time');

-- CreateEnum
CREATE TYPE "InvoiceChargeType" AS ENUM ('standard', 'advance', 'true_up');

-- CreateEnum
CREATE TYPE "TransactionStatus" AS ENUM ('pending', 'succeeded', 'failed', 'refunded', 'disputed');

-- CreateEnum
CREATE TYPE "DisputeOutcome" AS ENUM ('won', 'lost');

-- CreateEnum
CREATE TYPE "RefundStatus" AS ENUM ('pending', 'requires_action', 'succeeded', 'failed', 'canceled');

-- CreateEnum
CREATE TYPE "RefundReason" AS ENUM ('duplicate', 'fraudulent', 'requested_by_customer');

-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('live', 'sandbox');

-- CreateEnum
CREATE TYPE "Language" AS ENUM ('en', 'es');

-- CreateEnum
CREATE TYPE "PaymentKind" AS ENUM ('link', 'charge');

-- CreateEnum
CREATE TYPE "PaymentStatus" AS ENUM ('pending', 'processing', 'requires_action', 'failed', 'succeeded', 'canceled');

-- CreateEnum
CREATE TYPE "CardSaving" AS ENUM ('always', 'optional', 'never');

-- CreateEnum
CREATE TYPE "PayoutAccountStatus" AS ENUM ('none', 'pending', 'verified', 'rejected');

-- CreateEnum
CREATE TYPE "BankAccountType" AS ENUM ('checking', 'savings');

-- CreateEnum
CREATE TYPE "BankAccountStatus" AS ENUM ('active', 'errored');

-- CreateEnum
CREATE TYPE "PayoutStatus" AS ENUM ('pending', 'in_transit', 'paid', 'failed', 'canceled');

-- CreateEnum
CREATE TYPE "PayoutVerificationStatus" AS ENUM ('pending', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "BusinessType" AS ENUM ('individual', 'company', 'nonprofit');

-- CreateEnum
CREATE TYPE "IdentityDocument" AS ENUM ('passport', 'national_id', 'driving_license', 'residence_permit');

-- CreateEnum
CREATE TYPE "ProviderRequestSubject" AS ENUM ('payout', 'verification', 'payment_method');

-- CreateEnum
CREATE TYPE "MemberRole" AS ENUM ('owner', 'admin', 'member');

-- CreateEnum
CREATE TYPE "PlanGrantStatus" AS ENUM ('active', 'expired', 'revoked');

-- CreateEnum
CREATE TYPE "PlanGrantDuration" AS ENUM ('cycles', 'until_date', 'until_revoked');

-- CreateEnum
CREATE TYPE "PlanGrantSource" AS ENUM ('dashboard', 'api');

-- CreateEnum
CREATE TYPE "EventSource" AS ENUM ('api', 'dashboard', 'portal', 'checkout', 'payment_page', 'recovery_page', 'payment_method_page', 'pricing_page', 'clock', 'worker', 'provider');

-- CreateEnum
CREATE TYPE "DeadlineState" AS ENUM ('ready', 'parked', 'failed');

-- CreateEnum
CREATE TYPE "IdempotencyState" AS ENUM ('claimed', 'applied', 'answered');

-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('draft', 'pending_payment', 'trialing', 'active', 'past_due', 'canceled');

-- CreateEnum
CREATE TYPE "PaymentProvider" AS ENUM ('platform', 'stripe', 'dlocal');

-- CreateEnum
CREATE TYPE "OfferApplicationSource" AS ENUM ('direct', 'introductory', 'promo_code', 'card_promotion', 'retention', 'custom');

-- CreateEnum
CREATE TYPE "OfferApplicationStatus" AS ENUM ('quoted', 'applied', 'failed', 'expired');

-- CreateEnum
CREATE TYPE "SubscriptionAddonStatus" AS ENUM ('active', 'inactive');

-- CreateEnum
CREATE TYPE "TestClockRunStatus" AS ENUM ('pending', 'running', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "TestClockItemKind" AS ENUM ('billing_cycle', 'dunning_retry');

-- CreateEnum
CREATE TYPE "TestClockItemStatus" AS ENUM ('pending', 'processing', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "ExampleSize" AS ENUM ('small', 'full');

-- CreateEnum
CREATE TYPE "ExampleRunStatus" AS ENUM ('running', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('pending', 'succeeded', 'failed', 'canceled');

-- CreateTable
CREATE TABLE "AiModel" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "inputRate" BIGINT NOT NULL,
    "outputRate" BIGINT NOT NULL,
    "cacheReadRate" BIGINT,
    "cacheWriteRate" BIGINT,
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AiModel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AiModelPrice" (
    "id" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "inputRate" BIGINT NOT NULL,
    "outputRate" BIGINT NOT NULL,
    "cacheReadRate" BIGINT,
    "cacheWriteRate" BIGINT,

    CONSTRAINT "AiModelPrice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Feature" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "type" "FeatureType" NOT NULL,
    "description" TEXT,
    "unitName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Feature_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanGroup" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "isPublic" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PlanGroup_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Plan" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
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
    "introductoryOfferId" TEXT,
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
CREATE TABLE "Market" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Market_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MarketCountry" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "marketId" TEXT NOT NULL,
    "countryCode" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "MarketCountry_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanPriceOverride" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "priceId" TEXT NOT NULL,
    "marketId" TEXT,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "includedBalanceRate" BIGINT,
    "autoSynced" BOOLEAN NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validTo" TIMESTAMPTZ(3),

    CONSTRAINT "PlanPriceOverride_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanFeatureRate" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "unitPriceRate" BIGINT NOT NULL,
    "autoSynced" BOOLEAN NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validTo" TIMESTAMPTZ(3),

    CONSTRAINT "PlanFeatureRate_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanExchangeRate" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "rateE8" BIGINT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validTo" TIMESTAMPTZ(3),

    CONSTRAINT "PlanExchangeRate_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CreditPack" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "credits" BIGINT NOT NULL,
    "priceMinor" BIGINT NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CreditPack_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Addon" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "consumptionModel" "AddonConsumptionModel" NOT NULL,
    "basePriceMinor" BIGINT NOT NULL,
    "includedUnits" BIGINT,
    "overageRate" BIGINT,
    "creditCost" BIGINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Addon_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "AddonVersion" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "addonId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "basePriceMinor" BIGINT NOT NULL,
    "includedUnits" BIGINT,
    "overageRate" BIGINT,

    CONSTRAINT "AddonVersion_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PricingTable" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "planGroupId" TEXT,
    "plans" JSONB NOT NULL,
    "highlightedPlanId" TEXT,
    "intervals" JSONB NOT NULL,
    "signUpUrl" TEXT,
    "successUrl" TEXT,
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PricingTable_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PricingTablePurchase" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "pricingTableId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "visitHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "PricingTablePurchase_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ConsumptionAccount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "planCredits" BIGINT NOT NULL,
    "purchasedCredits" BIGINT NOT NULL,
    "balanceRate" BIGINT NOT NULL,
    "grantedCredits" BIGINT NOT NULL,
    "grantedRate" BIGINT NOT NULL,
    "isLowSent" BOOLEAN NOT NULL,
    "lastRefillRate" BIGINT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConsumptionAccount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ConsumptionEntry" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "pool" "ConsumptionPool" NOT NULL,
    "type" "ConsumptionEntryType" NOT NULL,
    "amount" BIGINT NOT NULL,
    "resulting" BIGINT NOT NULL,
    "featureId" TEXT,
    "sourceId" TEXT,
    "description" TEXT,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConsumptionEntry_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageCounter" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "total" BIGINT NOT NULL,
    "consumed" BIGINT NOT NULL,
    "alertLevel" INTEGER NOT NULL,
    "covered" BIGINT NOT NULL,

    CONSTRAINT "UsageCounter_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageEvent" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "eventId" TEXT,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "value" BIGINT NOT NULL,
    "model" TEXT,
    "tokenCost" JSONB,
    "consumptionModel" "ConsumptionModel" NOT NULL,
    "deducted" BIGINT,
    "remaining" BIGINT,
    "isBlocked" BOOLEAN,
    "properties" JSONB NOT NULL,
    "ts" TIMESTAMPTZ(3) NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsageEvent_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageAdjustment" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "previousValue" BIGINT NOT NULL,
    "value" BIGINT NOT NULL,
    "reason" TEXT,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsageAdjustment_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "FeatureCount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "pendingRemovals" BIGINT NOT NULL,
    "openingCount" BIGINT NOT NULL,
    "steps" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "FeatureCount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CountEvent" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "previousBalance" BIGINT NOT NULL,
    "newBalance" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CountEvent_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Customer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "externalId" TEXT,
    "email" TEXT NOT NULL,
    "emailKey" TEXT NOT NULL,
    "fullName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "taxDocument" TEXT,
    "documentType" TEXT,
    "timezone" TEXT NOT NULL,
    "address" JSONB,
    "country" TEXT,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Customer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PaymentConnection" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "provider" "PaymentProvider" NOT NULL,
    "name" TEXT NOT NULL,
    "publishableKey" TEXT NOT NULL,
    "secretKey" TEXT NOT NULL,
    "webhookSecret" TEXT,
    "isDefault" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PaymentConnection_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PaymentRoute" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "connectionId" TEXT,

    CONSTRAINT "PaymentRoute_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PaymentMethod" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "provider" "PaymentProvider" NOT NULL,
    "reference" TEXT NOT NULL,
    "bin" TEXT,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "expMonth" INTEGER NOT NULL,
    "expYear" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "removedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PaymentMethod_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PortalSession" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "returnUrl" TEXT,
    "locale" "Language",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PortalSession_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PortalRetryCount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "onDate" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "PortalRetryCount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CustomerCredit" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "source" "CustomerCreditSource" NOT NULL,
    "reason" TEXT NOT NULL,
    "leftByInvoiceId" TEXT,
    "amountMinor" BIGINT NOT NULL,
    "appliedMinor" BIGINT NOT NULL,
    "reversedMinor" BIGINT NOT NULL,
    "revokedMinor" BIGINT NOT NULL,
    "remainingMinor" BIGINT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CustomerCredit_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CustomerNote" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "source" "EventSource" NOT NULL,
    "actorId" TEXT,
    "editSource" "EventSource" NOT NULL,
    "editorId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CustomerNote_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "EmailCursor" (
    "environmentId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "EmailCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "EmailNotification" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "audience" "EmailAudience" NOT NULL,
    "kind" "EmailKind",
    "eventId" TEXT,
    "customerId" TEXT,
    "recipient" TEXT NOT NULL,
    "subject" TEXT,
    "content" JSONB,
    "status" "EmailStatus" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "EmailNotification_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Export" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "format" "ExportFormat" NOT NULL,
    "isGzip" BOOLEAN NOT NULL,
    "request" JSONB NOT NULL,
    "status" "ExportStatus" NOT NULL,
    "scheduleId" TEXT,
    "snapshot" BIGINT NOT NULL,
    "asOf" TIMESTAMPTZ(3) NOT NULL,
    "total" BIGINT,
    "rows" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "chunks" INTEGER NOT NULL,
    "parts" JSONB NOT NULL,
    "cursor" TEXT,
    "error" TEXT,
    "failures" INTEGER NOT NULL,
    "isForDelivery" BOOLEAN NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "Export_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ExportSchedule" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "format" "ExportFormat" NOT NULL,
    "isGzip" BOOLEAN NOT NULL,
    "request" JSONB NOT NULL,
    "frequency" "ExportFrequency" NOT NULL,
    "isIncremental" BOOLEAN NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "snapshot" BIGINT,
    "nextRunAt" TIMESTAMPTZ(3) NOT NULL,
    "lastRunAt" TIMESTAMPTZ(3),
    "lastExportId" TEXT,
    "sealedUrl" TEXT,
    "failedInRow" INTEGER NOT NULL,
    "deliveryError" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ExportSchedule_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ExportChunk" (
    "environmentId" TEXT NOT NULL,
    "exportId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "offset" BIGINT NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "details" BYTEA,

    CONSTRAINT "ExportChunk_pkey" PRIMARY KEY ("environmentId","exportId","number")
);

-- CreateTable
CREATE TABLE "ExportStream" (
    "environmentId" TEXT NOT NULL,
    "callerId" TEXT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ExportStream_pkey" PRIMARY KEY ("environmentId","callerId")
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
    "tax" JSONB,
    "periodStart" TIMESTAMPTZ(3) NOT NULL,
    "periodEnd" TIMESTAMPTZ(3) NOT NULL,
    "issueDate" TIMESTAMPTZ(3) NOT NULL,
    "dueDate" TIMESTAMPTZ(3) NOT NULL,
    "planName" TEXT,
    "memo" TEXT,
    "poNumber" TEXT,
    "reference" TEXT,
    "metadata" JSONB NOT NULL,
    "purchase" JSONB,
    "finalizedAt" TIMESTAMPTZ(3),
    "paidAt" TIMESTAMPTZ(3),
    "sentAt" TIMESTAMPTZ(3),
    "buyerId" TEXT NOT NULL,
    "sellerId" TEXT NOT NULL,
    "frozenAt" TIMESTAMPTZ(3),
    "creditedAmount" BIGINT NOT NULL,
    "creditedTax" BIGINT NOT NULL,
    "creditedDue" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Invoice_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "InvoiceParty" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "InvoiceParty_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CreditNote" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "invoiceId" TEXT NOT NULL,
    "subscriptionId" TEXT,
    "refundId" TEXT,
    "number" BIGINT NOT NULL,
    "reason" "CreditNoteReason" NOT NULL,
    "description" TEXT,
    "currency" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "taxAmount" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,
    "tax" JSONB,
    "metadata" JSONB NOT NULL,
    "issueDate" TIMESTAMPTZ(3) NOT NULL,
    "buyerId" TEXT NOT NULL,
    "sellerId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CreditNote_pkey" PRIMARY KEY ("environmentId","id")
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
    "creditId" TEXT,
    "offerId" TEXT,
    "periodStart" TIMESTAMPTZ(3),
    "periodEnd" TIMESTAMPTZ(3),
    "explanation" JSONB NOT NULL,

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
    "paymentId" TEXT,
    "paymentMethodId" TEXT,
    "provider" "PaymentProvider" NOT NULL,
    "status" "TransactionStatus" NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "taxMinor" BIGINT NOT NULL,
    "grossUsdMinor" BIGINT,
    "taxUsdMinor" BIGINT,
    "feeUsdMinor" BIGINT NOT NULL,
    "refundedMinor" BIGINT NOT NULL,
    "declineCode" TEXT,
    "providerReference" TEXT,
    "paidAt" TIMESTAMPTZ(3),
    "availableAt" TIMESTAMPTZ(3),
    "disputedAt" TIMESTAMPTZ(3),
    "disputeReason" TEXT,
    "disputeOutcome" "DisputeOutcome",
    "isPayerRetry" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Transaction_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Refund" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "transactionId" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" "RefundStatus" NOT NULL,
    "reason" "RefundReason",
    "cancelSubscription" BOOLEAN,
    "revokedCreditId" TEXT,
    "revokedMinor" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Refund_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ChargeAttempt" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "isBatch" BOOLEAN NOT NULL,
    "asks" INTEGER NOT NULL,
    "inquireAt" TIMESTAMPTZ(3),
    "result" JSONB,
    "outcome" JSONB,
    "answeredAt" TIMESTAMPTZ(3),
    "repeats" INTEGER NOT NULL,
    "contradiction" JSONB,
    "compareAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChargeAttempt_pkey" PRIMARY KEY ("environmentId","id")
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
CREATE TABLE "LedgerDayCursor" (
    "environmentId" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "LedgerDayCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "LedgerDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "days" SMALLINT[],
    "amountMinorDays" BIGINT[],

    CONSTRAINT "LedgerDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ReceivableDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "dueDay" TIMESTAMPTZ(3) NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "days" SMALLINT[],
    "amountMinorDays" BIGINT[],

    CONSTRAINT "ReceivableDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "BilledDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "groupKey" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "days" SMALLINT[],
    "amountMinorDays" BIGINT[],

    CONSTRAINT "BilledDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "SettledDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "usdMinor" BIGINT NOT NULL,
    "days" SMALLINT[],
    "amountMinorDays" BIGINT[],
    "usdMinorDays" BIGINT[],

    CONSTRAINT "SettledDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "FxRate" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "unitsPerUsd" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "FxRate_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "FxFeedRate" (
    "currency" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "unitsPerUsd" BIGINT NOT NULL,

    CONSTRAINT "FxFeedRate_pkey" PRIMARY KEY ("currency","day")
);

-- CreateTable
CREATE TABLE "MrrEntry" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "firstEvent" BIGINT,
    "lastEvent" BIGINT,
    "countedOn" TEXT,

    CONSTRAINT "MrrEntry_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MetricsCursor" (
    "environmentId" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "day" TEXT,
    "closedMonth" TEXT,
    "closesAt" TIMESTAMPTZ(3),
    "position" BIGINT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "MetricsCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "MrrCustomer" (
    "environmentId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "opening" JSONB NOT NULL,
    "current" JSONB NOT NULL,
    "reasons" JSONB NOT NULL,
    "paidBefore" TEXT,
    "firstPaidDay" TEXT,

    CONSTRAINT "MrrCustomer_pkey" PRIMARY KEY ("environmentId","customerId")
);

-- CreateTable
CREATE TABLE "MrrCustomerDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "day" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "before" BIGINT NOT NULL,
    "after" BIGINT NOT NULL,
    "planIds" TEXT[],

    CONSTRAINT "MrrCustomerDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MrrRollup" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "groupKey" TEXT NOT NULL,
    "otherKey" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "customers" BIGINT NOT NULL,
    "base" BIGINT NOT NULL,
    "discount" BIGINT NOT NULL,
    "seats" BIGINT NOT NULL,
    "quota" BIGINT NOT NULL,
    "addons" BIGINT NOT NULL,
    "atRisk" BIGINT NOT NULL,
    "paying" BIGINT NOT NULL,
    "days" SMALLINT[],
    "amountDays" BIGINT[],
    "customersDays" BIGINT[],
    "baseDays" BIGINT[],
    "discountDays" BIGINT[],
    "seatsDays" BIGINT[],
    "quotaDays" BIGINT[],
    "addonsDays" BIGINT[],
    "atRiskDays" BIGINT[],
    "payingDays" BIGINT[],

    CONSTRAINT "MrrRollup_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MrrMonth" (
    "environmentId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "mrr" BIGINT NOT NULL,

    CONSTRAINT "MrrMonth_pkey" PRIMARY KEY ("environmentId","month","currency","customerId")
);

-- CreateTable
CREATE TABLE "MrrRetention" (
    "environmentId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "months" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "customers" BIGINT NOT NULL,
    "left" BIGINT NOT NULL,
    "opening" BIGINT NOT NULL,
    "closing" BIGINT NOT NULL,
    "retained" BIGINT NOT NULL,

    CONSTRAINT "MrrRetention_pkey" PRIMARY KEY ("environmentId","month","months","currency")
);

-- CreateTable
CREATE TABLE "MrrCohort" (
    "environmentId" TEXT NOT NULL,
    "cohort" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "customers" BIGINT NOT NULL,
    "mrr" BIGINT NOT NULL,

    CONSTRAINT "MrrCohort_pkey" PRIMARY KEY ("environmentId","cohort","month","currency")
);

-- CreateTable
CREATE TABLE "Offer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "phases" JSONB NOT NULL,
    "metadata" JSONB NOT NULL,
    "startsAt" TIMESTAMPTZ(3),
    "endsAt" TIMESTAMPTZ(3),
    "active" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Offer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "RetentionOffer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "offerId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RetentionOffer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PromoCode" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "offerId" TEXT NOT NULL,
    "billingInterval" "BillingInterval",
    "planIds" JSONB NOT NULL,
    "maxRedemptions" BIGINT,
    "redemptionCount" BIGINT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PromoCode_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PromoRedemption" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "promoCodeId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "value" BIGINT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PromoRedemption_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CardPromotion" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "offerId" TEXT NOT NULL,
    "billingInterval" "BillingInterval",
    "autoDiscovered" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CardPromotion_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CardPromotionBin" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "cardPromotionId" TEXT NOT NULL,

    CONSTRAINT "CardPromotionBin_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Organization" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "country" TEXT,
    "businessType" TEXT,
    "pinnedVersion" TEXT,
    "issuerName" TEXT,
    "issuerAddress" TEXT,
    "issuerTaxId" TEXT,
    "accentColor" TEXT,
    "customerEmails" BOOLEAN NOT NULL,
    "mutedEmailKinds" TEXT[],
    "logoUrl" TEXT,
    "logoWidth" INTEGER,
    "logoHeight" INTEGER,
    "replyTo" TEXT,
    "notificationEmail" TEXT,
    "language" "Language" NOT NULL,
    "cardPromotions" BOOLEAN NOT NULL,
    "isProvisioned" BOOLEAN NOT NULL,
    "slug" TEXT,
    "reportingCurrency" TEXT NOT NULL,
    "pageSettings" JSONB,
    "oneTrialPerCustomer" BOOLEAN NOT NULL,
    "checkoutExpiryHours" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OrganizationLogo" (
    "id" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "image" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OrganizationLogo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OrganizationClaim" (
    "organizationId" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "claimedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OrganizationClaim_pkey" PRIMARY KEY ("organizationId")
);

-- CreateTable
CREATE TABLE "OpenIdempotencyKey" (
    "operation" TEXT NOT NULL,
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

    CONSTRAINT "OpenIdempotencyKey_pkey" PRIMARY KEY ("operation","id")
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
CREATE TABLE "ScheduledTask" (
    "name" TEXT NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ScheduledTask_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "UseWindow" (
    "id" TEXT NOT NULL,
    "uses" INTEGER NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UseWindow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Setting" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "TrialCase" (
    "environmentId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "endedOn" TIMESTAMPTZ(3),
    "outcome" TEXT NOT NULL,

    CONSTRAINT "TrialCase_pkey" PRIMARY KEY ("environmentId","subscriptionId")
);

-- CreateTable
CREATE TABLE "TrialDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "started" BIGINT NOT NULL,
    "ended" BIGINT NOT NULL,
    "converted" BIGINT NOT NULL,
    "lost" BIGINT NOT NULL,
    "days" SMALLINT[],
    "startedDays" BIGINT[],
    "endedDays" BIGINT[],
    "convertedDays" BIGINT[],
    "lostDays" BIGINT[],

    CONSTRAINT "TrialDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "RecoveryCase" (
    "environmentId" TEXT NOT NULL,
    "invoiceId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "failedAt" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "outcome" TEXT NOT NULL,

    CONSTRAINT "RecoveryCase_pkey" PRIMARY KEY ("environmentId","invoiceId")
);

-- CreateTable
CREATE TABLE "RecoveryDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "maker" TEXT,
    "attempts" INTEGER,
    "count" BIGINT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "days" SMALLINT[],
    "countDays" BIGINT[],
    "amountMinorDays" BIGINT[],

    CONSTRAINT "RecoveryDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Payment" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT,
    "payerId" TEXT,
    "kind" "PaymentKind" NOT NULL,
    "status" "PaymentStatus" NOT NULL,
    "provider" "PaymentProvider" NOT NULL,
    "namedProvider" "PaymentProvider",
    "connectionId" TEXT,
    "currency" TEXT NOT NULL,
    "subtotalMinor" BIGINT NOT NULL,
    "taxMinor" BIGINT NOT NULL,
    "totalMinor" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "metadata" JSONB,
    "successUrl" TEXT,
    "saveCard" "CardSaving" NOT NULL,
    "cardSavedAt" TIMESTAMPTZ(3),
    "attempt" JSONB,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "wrongCodes" INTEGER NOT NULL,
    "invoiceId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Payment_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PayoutAccount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "status" "PayoutAccountStatus" NOT NULL,
    "country" TEXT,
    "releasedUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PayoutAccount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PayoutBankAccount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "holderName" TEXT NOT NULL,
    "sealedNumber" TEXT NOT NULL,
    "sealedRoutingNumber" TEXT,
    "last4" TEXT NOT NULL,
    "bankName" TEXT,
    "country" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "accountType" "BankAccountType",
    "isDefault" BOOLEAN NOT NULL,
    "status" "BankAccountStatus" NOT NULL,
    "providerExternalAccountId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PayoutBankAccount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Payout" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "status" "PayoutStatus" NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "feeMinor" BIGINT NOT NULL,
    "description" TEXT,
    "bankAccountId" TEXT,
    "providerTransferId" TEXT NOT NULL,
    "nextStepAt" TIMESTAMPTZ(3),
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Payout_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PayoutVerification" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "status" "PayoutVerificationStatus" NOT NULL,
    "country" TEXT NOT NULL,
    "businessName" TEXT NOT NULL,
    "businessType" "BusinessType" NOT NULL,
    "personName" TEXT NOT NULL,
    "documentKind" "IdentityDocument" NOT NULL,
    "documentLast4" TEXT NOT NULL,
    "bankAccountId" TEXT NOT NULL,
    "sealedDetails" TEXT,
    "reasons" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PayoutVerification_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ProviderRequest" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "subject" "ProviderRequestSubject" NOT NULL,
    "asks" INTEGER NOT NULL,
    "requestedAt" TIMESTAMPTZ(3),
    "inquireAt" TIMESTAMPTZ(3),
    "isWithdrawn" BOOLEAN NOT NULL,
    "result" JSONB,
    "answeredAt" TIMESTAMPTZ(3),
    "repeats" INTEGER NOT NULL,
    "contradiction" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ProviderRequest_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Person" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailVerified" BOOLEAN NOT NULL,
    "twoFactorEnabled" BOOLEAN,
    "image" TEXT,
    "preferences" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "provenAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Credential" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" TIMESTAMPTZ(3),
    "refreshTokenExpiresAt" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SecondFactor" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backupCodes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL,
    "failedVerificationCount" INTEGER NOT NULL,
    "lockedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "SecondFactor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "deviceType" TEXT NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Member" (
    "id" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FormerActor" (
    "id" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "removedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "FormerActor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MemberInvitation" (
    "id" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MemberInvitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LiveTicket" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LiveTicket_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "SavedView" (
    "id" TEXT NOT NULL,
    "organizationId" TEXT NOT NULL,
    "personId" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "isShared" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SavedView_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PlanGrant" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "basePlanId" TEXT NOT NULL,
    "planId" TEXT NOT NULL,
    "planReleaseId" TEXT NOT NULL,
    "status" "PlanGrantStatus" NOT NULL,
    "duration" "PlanGrantDuration" NOT NULL,
    "durationCycles" INTEGER,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "reason" TEXT NOT NULL,
    "source" "PlanGrantSource" NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "timeline" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlanGrant_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "EnvironmentCounter" (
    "environmentId" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "invoiceNumber" BIGINT NOT NULL,
    "creditNoteNumber" BIGINT NOT NULL,
    "eventPosition" BIGINT NOT NULL,
    "activeSubscriptions" BIGINT NOT NULL,
    "catalogVersion" TEXT NOT NULL,

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
    "invoiceId" TEXT,
    "cause" TEXT,
    "source" "EventSource" NOT NULL,
    "actorId" TEXT,
    "requestId" UUID,
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
    "subscriptionId" TEXT,
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
    "marketId" TEXT,
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
    "grantedPlanId" TEXT,
    "grantedReleaseSeq" BIGINT,
    "listBaseMinor" BIGINT NOT NULL,
    "effectiveBaseMinor" BIGINT NOT NULL,
    "recurring" JSONB,
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
    "pendingCheckout" JSONB,
    "carried" JSONB NOT NULL,
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
    "promoCodeId" TEXT,
    "cardPromotionId" TEXT,
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
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OfferApplication_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "AddonActivation" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "addonId" TEXT NOT NULL,
    "status" "SubscriptionAddonStatus" NOT NULL,
    "proratedMinor" BIGINT NOT NULL,
    "invoiceId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "deactivatedAt" TIMESTAMPTZ(3),
    "paidUntil" TIMESTAMPTZ(3),

    CONSTRAINT "AddonActivation_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "TaxRegistration" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "country" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "rateBps" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TaxRegistration_pkey" PRIMARY KEY ("environmentId","id")
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

-- CreateTable
CREATE TABLE "ExampleRun" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "size" "ExampleSize" NOT NULL,
    "status" "ExampleRunStatus" NOT NULL,
    "completedSteps" INTEGER NOT NULL,
    "totalSteps" INTEGER NOT NULL,
    "clockRunId" TEXT,
    "error" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ExampleRun_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageDayCursor" (
    "environmentId" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "UsageDayCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "UsageDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "scope" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "groupKey" TEXT NOT NULL,
    "events" BIGINT NOT NULL,
    "units" BIGINT NOT NULL,
    "lateUnits" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,
    "days" SMALLINT[],
    "eventsDays" BIGINT[],
    "unitsDays" BIGINT[],
    "lateUnitsDays" BIGINT[],
    "creditsDays" BIGINT[],

    CONSTRAINT "UsageDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageCustomerDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "featureId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "events" BIGINT NOT NULL,
    "units" BIGINT NOT NULL,
    "lateUnits" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,
    "days" SMALLINT[],
    "eventsDays" BIGINT[],
    "unitsDays" BIGINT[],
    "lateUnitsDays" BIGINT[],
    "creditsDays" BIGINT[],

    CONSTRAINT "UsageCustomerDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "isActive" BOOLEAN NOT NULL,
    "apiVersion" TEXT NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "previousSecret" TEXT,
    "previousSecretUntil" TIMESTAMPTZ(3),
    "failedInRow" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "WebhookCursor" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookCursor_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "webhookId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "customerId" TEXT,
    "position" BIGINT NOT NULL,
    "status" "WebhookDeliveryStatus" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "lastAttemptAt" TIMESTAMPTZ(3),
    "responseStatus" INTEGER,
    "responseBody" TEXT,
    "error" TEXT,
    "durationMs" INTEGER,
    "attemptLog" JSONB,
    "testData" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "version" BIGINT NOT NULL,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "AiModel_name_idx" ON "AiModel"("name");

-- CreateIndex
CREATE INDEX "AiModelPrice_modelId_validFrom_idx" ON "AiModelPrice"("modelId", "validFrom");

-- CreateIndex
CREATE INDEX "Feature_environmentId_createdAt_seq_idx" ON "Feature"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PlanGroup_environmentId_createdAt_seq_idx" ON "PlanGroup"("environmentId", "createdAt", "seq");

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
CREATE INDEX "PlanPrice_environmentId_introductoryOfferId_idx" ON "PlanPrice"("environmentId", "introductoryOfferId");

-- CreateIndex
CREATE INDEX "PlanPrice_environmentId_createdAt_seq_idx" ON "PlanPrice"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PlanPriceVersion_environmentId_priceId_validFrom_idx" ON "PlanPriceVersion"("environmentId", "priceId", "validFrom");

-- CreateIndex
CREATE INDEX "Market_environmentId_createdAt_seq_idx" ON "Market"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "MarketCountry_environmentId_marketId_idx" ON "MarketCountry"("environmentId", "marketId");

-- CreateIndex
CREATE UNIQUE INDEX "MarketCountry_environmentId_countryCode_key" ON "MarketCountry"("environmentId", "countryCode");

-- CreateIndex
CREATE INDEX "PlanPriceOverride_environmentId_priceId_validFrom_idx" ON "PlanPriceOverride"("environmentId", "priceId", "validFrom");

-- CreateIndex
CREATE INDEX "PlanPriceOverride_environmentId_marketId_idx" ON "PlanPriceOverride"("environmentId", "marketId");

-- CreateIndex
CREATE INDEX "PlanFeatureRate_environmentId_planId_featureId_validFrom_idx" ON "PlanFeatureRate"("environmentId", "planId", "featureId", "validFrom");

-- CreateIndex
CREATE INDEX "PlanFeatureRate_environmentId_featureId_idx" ON "PlanFeatureRate"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "PlanExchangeRate_environmentId_planId_validFrom_idx" ON "PlanExchangeRate"("environmentId", "planId", "validFrom");

-- CreateIndex
CREATE INDEX "CreditPack_environmentId_createdAt_seq_idx" ON "CreditPack"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Addon_environmentId_featureId_idx" ON "Addon"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "Addon_environmentId_createdAt_seq_idx" ON "Addon"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "AddonVersion_environmentId_addonId_validFrom_idx" ON "AddonVersion"("environmentId", "addonId", "validFrom");

-- CreateIndex
CREATE INDEX "PricingTable_environmentId_createdAt_seq_idx" ON "PricingTable"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PricingTable_environmentId_planGroupId_idx" ON "PricingTable"("environmentId", "planGroupId");

-- CreateIndex
CREATE INDEX "PricingTablePurchase_environmentId_customerId_idx" ON "PricingTablePurchase"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "PricingTablePurchase_environmentId_pricingTableId_createdAt_idx" ON "PricingTablePurchase"("environmentId", "pricingTableId", "createdAt");

-- CreateIndex
CREATE INDEX "PricingTablePurchase_expiresAt_idx" ON "PricingTablePurchase"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "PricingTablePurchase_environmentId_pricingTableId_visitHash_key" ON "PricingTablePurchase"("environmentId", "pricingTableId", "visitHash");

-- CreateIndex
CREATE INDEX "ConsumptionEntry_environmentId_subscriptionId_seq_idx" ON "ConsumptionEntry"("environmentId", "subscriptionId", "seq");

-- CreateIndex
CREATE INDEX "UsageCounter_environmentId_subscriptionId_idx" ON "UsageCounter"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "UsageCounter_environmentId_featureId_idx" ON "UsageCounter"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_customerId_featureId_ts_idx" ON "UsageEvent"("environmentId", "customerId", "featureId", "ts");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_customerId_createdAt_seq_idx" ON "UsageEvent"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_featureId_idx" ON "UsageEvent"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_createdAt_seq_idx" ON "UsageEvent"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "UsageEvent_environmentId_eventId_key" ON "UsageEvent"("environmentId", "eventId");

-- CreateIndex
CREATE INDEX "UsageAdjustment_environmentId_customerId_featureId_createdA_idx" ON "UsageAdjustment"("environmentId", "customerId", "featureId", "createdAt");

-- CreateIndex
CREATE INDEX "UsageAdjustment_environmentId_featureId_idx" ON "UsageAdjustment"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "FeatureCount_environmentId_customerId_idx" ON "FeatureCount"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "FeatureCount_environmentId_featureId_idx" ON "FeatureCount"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "CountEvent_environmentId_customerId_featureId_createdAt_idx" ON "CountEvent"("environmentId", "customerId", "featureId", "createdAt");

-- CreateIndex
CREATE INDEX "CountEvent_environmentId_featureId_idx" ON "CountEvent"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "Customer_environmentId_createdAt_seq_idx" ON "Customer"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Customer_environmentId_externalId_key" ON "Customer"("environmentId", "externalId");

-- CreateIndex
CREATE INDEX "PaymentConnection_environmentId_createdAt_seq_idx" ON "PaymentConnection"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PaymentRoute_environmentId_connectionId_idx" ON "PaymentRoute"("environmentId", "connectionId");

-- CreateIndex
CREATE INDEX "PaymentMethod_environmentId_customerId_idx" ON "PaymentMethod"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "PortalSession_environmentId_customerId_idx" ON "PortalSession"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "PortalSession_createdAt_idx" ON "PortalSession"("createdAt");

-- CreateIndex
CREATE INDEX "CustomerCredit_environmentId_customerId_createdAt_seq_idx" ON "CustomerCredit"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "CustomerNote_environmentId_customerId_createdAt_seq_idx" ON "CustomerNote"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "EmailNotification_environmentId_status_nextAttemptAt_idx" ON "EmailNotification"("environmentId", "status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "EmailNotification_environmentId_customerId_createdAt_seq_idx" ON "EmailNotification"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "EmailNotification_environmentId_createdAt_seq_idx" ON "EmailNotification"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "EmailNotification_environmentId_eventId_key" ON "EmailNotification"("environmentId", "eventId");

-- CreateIndex
CREATE INDEX "Export_environmentId_createdAt_seq_idx" ON "Export"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Export_status_createdAt_idx" ON "Export"("status", "createdAt");

-- CreateIndex
CREATE INDEX "Export_status_nextAttemptAt_idx" ON "Export"("status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "ExportSchedule_environmentId_createdAt_seq_idx" ON "ExportSchedule"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "ExportSchedule_isActive_nextRunAt_idx" ON "ExportSchedule"("isActive", "nextRunAt");

-- CreateIndex
CREATE INDEX "ExportChunk_environmentId_exportId_part_offset_idx" ON "ExportChunk"("environmentId", "exportId", "part", "offset");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_customerId_createdAt_seq_idx" ON "Invoice"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_subscriptionId_idx" ON "Invoice"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_createdAt_seq_idx" ON "Invoice"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_issueDate_seq_idx" ON "Invoice"("environmentId", "issueDate", "seq");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_dueDate_seq_idx" ON "Invoice"("environmentId", "dueDate", "seq");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_total_seq_idx" ON "Invoice"("environmentId", "total", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Invoice_environmentId_number_key" ON "Invoice"("environmentId", "number");

-- CreateIndex
CREATE INDEX "CreditNote_environmentId_invoiceId_createdAt_seq_idx" ON "CreditNote"("environmentId", "invoiceId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "CreditNote_environmentId_customerId_createdAt_seq_idx" ON "CreditNote"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "CreditNote_environmentId_createdAt_seq_idx" ON "CreditNote"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "CreditNote_environmentId_number_key" ON "CreditNote"("environmentId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "InvoiceLine_environmentId_invoiceId_position_key" ON "InvoiceLine"("environmentId", "invoiceId", "position");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_invoiceId_idx" ON "Transaction"("environmentId", "invoiceId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_customerId_createdAt_seq_idx" ON "Transaction"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_subscriptionId_idx" ON "Transaction"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_paymentMethodId_idx" ON "Transaction"("environmentId", "paymentMethodId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_createdAt_seq_idx" ON "Transaction"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_amountMinor_seq_idx" ON "Transaction"("environmentId", "amountMinor", "seq");

-- CreateIndex
CREATE INDEX "Refund_environmentId_transactionId_idx" ON "Refund"("environmentId", "transactionId");

-- CreateIndex
CREATE INDEX "Refund_environmentId_customerId_createdAt_seq_idx" ON "Refund"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Refund_environmentId_createdAt_seq_idx" ON "Refund"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "ChargeAttempt_environmentId_inquireAt_idx" ON "ChargeAttempt"("environmentId", "inquireAt");

-- CreateIndex
CREATE INDEX "ChargeAttempt_environmentId_customerId_idx" ON "ChargeAttempt"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "ChargeAttempt_environmentId_createdAt_id_idx" ON "ChargeAttempt"("environmentId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "LedgerTransfer_environmentId_customerId_occurredAt_seq_idx" ON "LedgerTransfer"("environmentId", "customerId", "occurredAt", "seq");

-- CreateIndex
CREATE INDEX "LedgerTransfer_environmentId_occurredAt_seq_idx" ON "LedgerTransfer"("environmentId", "occurredAt", "seq");

-- CreateIndex
CREATE INDEX "LedgerTransfer_environmentId_invoiceId_idx" ON "LedgerTransfer"("environmentId", "invoiceId");

-- CreateIndex
CREATE INDEX "LedgerTransfer_environmentId_seq_idx" ON "LedgerTransfer"("environmentId", "seq");

-- CreateIndex
CREATE INDEX "LedgerDay_environmentId_month_idx" ON "LedgerDay"("environmentId", "month");

-- CreateIndex
CREATE INDEX "ReceivableDay_environmentId_month_idx" ON "ReceivableDay"("environmentId", "month");

-- CreateIndex
CREATE INDEX "BilledDay_environmentId_scope_month_idx" ON "BilledDay"("environmentId", "scope", "month");

-- CreateIndex
CREATE INDEX "SettledDay_environmentId_month_idx" ON "SettledDay"("environmentId", "month");

-- CreateIndex
CREATE INDEX "FxRate_environmentId_day_idx" ON "FxRate"("environmentId", "day");

-- CreateIndex
CREATE INDEX "MrrEntry_environmentId_seq_idx" ON "MrrEntry"("environmentId", "seq");

-- CreateIndex
CREATE INDEX "MrrEntry_environmentId_customerId_seq_idx" ON "MrrEntry"("environmentId", "customerId", "seq");

-- CreateIndex
CREATE INDEX "MrrEntry_environmentId_subscriptionId_seq_idx" ON "MrrEntry"("environmentId", "subscriptionId", "seq");

-- CreateIndex
CREATE INDEX "MrrCustomerDay_environmentId_day_seq_idx" ON "MrrCustomerDay"("environmentId", "day", "seq");

-- CreateIndex
CREATE INDEX "MrrCustomerDay_environmentId_customerId_day_seq_idx" ON "MrrCustomerDay"("environmentId", "customerId", "day", "seq");

-- CreateIndex
CREATE INDEX "MrrRollup_environmentId_scope_month_idx" ON "MrrRollup"("environmentId", "scope", "month");

-- CreateIndex
CREATE INDEX "Offer_environmentId_createdAt_seq_idx" ON "Offer"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "RetentionOffer_environmentId_offerId_idx" ON "RetentionOffer"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "PromoCode_environmentId_offerId_idx" ON "PromoCode"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "PromoCode_environmentId_createdAt_seq_idx" ON "PromoCode"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "PromoCode_environmentId_code_key" ON "PromoCode"("environmentId", "code");

-- CreateIndex
CREATE INDEX "PromoRedemption_environmentId_customerId_idx" ON "PromoRedemption"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "PromoRedemption_environmentId_subscriptionId_idx" ON "PromoRedemption"("environmentId", "subscriptionId");

-- CreateIndex
CREATE UNIQUE INDEX "PromoRedemption_environmentId_promoCodeId_customerId_key" ON "PromoRedemption"("environmentId", "promoCodeId", "customerId");

-- CreateIndex
CREATE INDEX "CardPromotion_environmentId_offerId_idx" ON "CardPromotion"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "CardPromotion_environmentId_createdAt_seq_idx" ON "CardPromotion"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "CardPromotionBin_environmentId_cardPromotionId_idx" ON "CardPromotionBin"("environmentId", "cardPromotionId");

-- CreateIndex
CREATE UNIQUE INDEX "Organization_slug_key" ON "Organization"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "OrganizationLogo_organizationId_key" ON "OrganizationLogo"("organizationId");

-- CreateIndex
CREATE UNIQUE INDEX "OrganizationClaim_tokenHash_key" ON "OrganizationClaim"("tokenHash");

-- CreateIndex
CREATE INDEX "OpenIdempotencyKey_expiresAt_idx" ON "OpenIdempotencyKey"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Environment_organizationId_mode_key" ON "Environment"("organizationId", "mode");

-- CreateIndex
CREATE INDEX "ApiKeyHash_environmentId_apiKeyId_idx" ON "ApiKeyHash"("environmentId", "apiKeyId");

-- CreateIndex
CREATE INDEX "EnvironmentLease_nextDueAt_idx" ON "EnvironmentLease"("nextDueAt");

-- CreateIndex
CREATE INDEX "UseWindow_endsAt_idx" ON "UseWindow"("endsAt");

-- CreateIndex
CREATE INDEX "TrialDay_environmentId_month_idx" ON "TrialDay"("environmentId", "month");

-- CreateIndex
CREATE INDEX "RecoveryDay_environmentId_month_idx" ON "RecoveryDay"("environmentId", "month");

-- CreateIndex
CREATE INDEX "Payment_environmentId_createdAt_seq_idx" ON "Payment"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payment_environmentId_totalMinor_seq_idx" ON "Payment"("environmentId", "totalMinor", "seq");

-- CreateIndex
CREATE INDEX "Payment_environmentId_customerId_createdAt_seq_idx" ON "Payment"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payment_environmentId_connectionId_idx" ON "Payment"("environmentId", "connectionId");

-- CreateIndex
CREATE INDEX "Payment_environmentId_payerId_idx" ON "Payment"("environmentId", "payerId");

-- CreateIndex
CREATE INDEX "Payment_environmentId_invoiceId_idx" ON "Payment"("environmentId", "invoiceId");

-- CreateIndex
CREATE UNIQUE INDEX "PayoutAccount_environmentId_key" ON "PayoutAccount"("environmentId");

-- CreateIndex
CREATE INDEX "PayoutBankAccount_environmentId_createdAt_seq_idx" ON "PayoutBankAccount"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payout_environmentId_createdAt_seq_idx" ON "Payout"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payout_environmentId_amountMinor_seq_idx" ON "Payout"("environmentId", "amountMinor", "seq");

-- CreateIndex
CREATE INDEX "Payout_environmentId_bankAccountId_idx" ON "Payout"("environmentId", "bankAccountId");

-- CreateIndex
CREATE INDEX "PayoutVerification_environmentId_createdAt_seq_idx" ON "PayoutVerification"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PayoutVerification_environmentId_bankAccountId_idx" ON "PayoutVerification"("environmentId", "bankAccountId");

-- CreateIndex
CREATE INDEX "ProviderRequest_environmentId_inquireAt_idx" ON "ProviderRequest"("environmentId", "inquireAt");

-- CreateIndex
CREATE UNIQUE INDEX "Person_email_key" ON "Person"("email");

-- CreateIndex
CREATE UNIQUE INDEX "Session_token_key" ON "Session"("token");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Credential_userId_idx" ON "Credential"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "SecondFactor_userId_key" ON "SecondFactor"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

-- CreateIndex
CREATE INDEX "Verification_identifier_idx" ON "Verification"("identifier");

-- CreateIndex
CREATE INDEX "Verification_expiresAt_idx" ON "Verification"("expiresAt");

-- CreateIndex
CREATE INDEX "Member_userId_idx" ON "Member"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Member_organizationId_userId_key" ON "Member"("organizationId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "MemberInvitation_tokenHash_key" ON "MemberInvitation"("tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "MemberInvitation_organizationId_email_key" ON "MemberInvitation"("organizationId", "email");

-- CreateIndex
CREATE INDEX "LiveTicket_expiresAt_idx" ON "LiveTicket"("expiresAt");

-- CreateIndex
CREATE INDEX "SavedView_personId_idx" ON "SavedView"("personId");

-- CreateIndex
CREATE UNIQUE INDEX "SavedView_organizationId_personId_list_name_key" ON "SavedView"("organizationId", "personId", "list", "name");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_customerId_createdAt_seq_idx" ON "PlanGrant"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_subscriptionId_idx" ON "PlanGrant"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_basePlanId_idx" ON "PlanGrant"("environmentId", "basePlanId");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_planId_idx" ON "PlanGrant"("environmentId", "planId");

-- CreateIndex
CREATE INDEX "ApiKey_environmentId_createdAt_seq_idx" ON "ApiKey"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Event_environmentId_customerId_position_idx" ON "Event"("environmentId", "customerId", "position");

-- CreateIndex
CREATE INDEX "Event_environmentId_kind_position_idx" ON "Event"("environmentId", "kind", "position");

-- CreateIndex
CREATE INDEX "Event_environmentId_subscriptionId_idx" ON "Event"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "Event_occurredAt_idx" ON "Event" USING BRIN ("occurredAt" timestamptz_minmax_multi_ops);

-- CreateIndex
CREATE UNIQUE INDEX "Event_environmentId_position_key" ON "Event"("environmentId", "position");

-- CreateIndex
CREATE INDEX "Deadline_environmentId_state_dueAt_rank_subjectSeq_idx" ON "Deadline"("environmentId", "state", "dueAt", "rank", "subjectSeq");

-- CreateIndex
CREATE INDEX "Deadline_environmentId_subscriptionId_idx" ON "Deadline"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "IdempotencyKey_expiresAt_idx" ON "IdempotencyKey"("expiresAt");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_customerId_idx" ON "Subscription"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_planId_createdAt_seq_idx" ON "Subscription"("environmentId", "planId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_grantedPlanId_idx" ON "Subscription"("environmentId", "grantedPlanId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_priceId_createdAt_seq_idx" ON "Subscription"("environmentId", "priceId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_paymentMethodId_idx" ON "Subscription"("environmentId", "paymentMethodId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_marketId_createdAt_seq_idx" ON "Subscription"("environmentId", "marketId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_createdAt_seq_idx" ON "Subscription"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_status_createdAt_seq_idx" ON "Subscription"("environmentId", "status", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_canceledAt_idx" ON "Subscription"("environmentId", "canceledAt");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_subscriptionId_seq_idx" ON "OfferApplication"("environmentId", "subscriptionId", "seq");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_offerId_idx" ON "OfferApplication"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_promoCodeId_idx" ON "OfferApplication"("environmentId", "promoCodeId");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_cardPromotionId_idx" ON "OfferApplication"("environmentId", "cardPromotionId");

-- CreateIndex
CREATE INDEX "AddonActivation_environmentId_subscriptionId_createdAt_seq_idx" ON "AddonActivation"("environmentId", "subscriptionId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "AddonActivation_environmentId_addonId_idx" ON "AddonActivation"("environmentId", "addonId");

-- CreateIndex
CREATE INDEX "AddonActivation_environmentId_invoiceId_idx" ON "AddonActivation"("environmentId", "invoiceId");

-- CreateIndex
CREATE INDEX "TaxRegistration_environmentId_createdAt_seq_idx" ON "TaxRegistration"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "TaxRegistration_environmentId_country_region_key" ON "TaxRegistration"("environmentId", "country", "region");

-- CreateIndex
CREATE INDEX "TestClockRun_environmentId_seq_idx" ON "TestClockRun"("environmentId", "seq");

-- CreateIndex
CREATE INDEX "TestClockRunItem_environmentId_runId_seq_idx" ON "TestClockRunItem"("environmentId", "runId", "seq");

-- CreateIndex
CREATE INDEX "TestClockRunItem_environmentId_subscriptionId_idx" ON "TestClockRunItem"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "ExampleRun_environmentId_seq_idx" ON "ExampleRun"("environmentId", "seq");

-- CreateIndex
CREATE INDEX "ExampleRun_environmentId_clockRunId_idx" ON "ExampleRun"("environmentId", "clockRunId");

-- CreateIndex
CREATE INDEX "UsageDay_environmentId_scope_featureId_month_idx" ON "UsageDay"("environmentId", "scope", "featureId", "month");

-- CreateIndex
CREATE INDEX "UsageCustomerDay_environmentId_month_idx" ON "UsageCustomerDay"("environmentId", "month");

-- CreateIndex
CREATE INDEX "Webhook_environmentId_createdAt_seq_idx" ON "Webhook"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_webhookId_status_nextAttemptA_idx" ON "WebhookDelivery"("environmentId", "webhookId", "status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_webhookId_createdAt_seq_idx" ON "WebhookDelivery"("environmentId", "webhookId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_createdAt_seq_idx" ON "WebhookDelivery"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_version_idx" ON "WebhookDelivery"("environmentId", "version");

-- CreateIndex
CREATE INDEX "WebhookDelivery_finishedAt_idx" ON "WebhookDelivery"("finishedAt");

-- AddForeignKey
ALTER TABLE "AiModelPrice" ADD CONSTRAINT "AiModelPrice_modelId_fkey" FOREIGN KEY ("modelId") REFERENCES "AiModel"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_environmentId_planGroupId_fkey" FOREIGN KEY ("environmentId", "planGroupId") REFERENCES "PlanGroup"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

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
ALTER TABLE "PlanPrice" ADD CONSTRAINT "PlanPrice_environmentId_introductoryOfferId_fkey" FOREIGN KEY ("environmentId", "introductoryOfferId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPriceVersion" ADD CONSTRAINT "PlanPriceVersion_environmentId_priceId_fkey" FOREIGN KEY ("environmentId", "priceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "MarketCountry" ADD CONSTRAINT "MarketCountry_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPriceOverride" ADD CONSTRAINT "PlanPriceOverride_environmentId_priceId_fkey" FOREIGN KEY ("environmentId", "priceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPriceOverride" ADD CONSTRAINT "PlanPriceOverride_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeatureRate" ADD CONSTRAINT "PlanFeatureRate_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeatureRate" ADD CONSTRAINT "PlanFeatureRate_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanExchangeRate" ADD CONSTRAINT "PlanExchangeRate_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Addon" ADD CONSTRAINT "Addon_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonVersion" ADD CONSTRAINT "AddonVersion_environmentId_addonId_fkey" FOREIGN KEY ("environmentId", "addonId") REFERENCES "Addon"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PricingTable" ADD CONSTRAINT "PricingTable_environmentId_planGroupId_fkey" FOREIGN KEY ("environmentId", "planGroupId") REFERENCES "PlanGroup"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PricingTablePurchase" ADD CONSTRAINT "PricingTablePurchase_environmentId_pricingTableId_fkey" FOREIGN KEY ("environmentId", "pricingTableId") REFERENCES "PricingTable"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PricingTablePurchase" ADD CONSTRAINT "PricingTablePurchase_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ConsumptionAccount" ADD CONSTRAINT "ConsumptionAccount_environmentId_id_fkey" FOREIGN KEY ("environmentId", "id") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ConsumptionEntry" ADD CONSTRAINT "ConsumptionEntry_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageCounter" ADD CONSTRAINT "UsageCounter_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageCounter" ADD CONSTRAINT "UsageCounter_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageEvent" ADD CONSTRAINT "UsageEvent_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageEvent" ADD CONSTRAINT "UsageEvent_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageAdjustment" ADD CONSTRAINT "UsageAdjustment_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageAdjustment" ADD CONSTRAINT "UsageAdjustment_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "FeatureCount" ADD CONSTRAINT "FeatureCount_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "FeatureCount" ADD CONSTRAINT "FeatureCount_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CountEvent" ADD CONSTRAINT "CountEvent_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CountEvent" ADD CONSTRAINT "CountEvent_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PaymentRoute" ADD CONSTRAINT "PaymentRoute_environmentId_connectionId_fkey" FOREIGN KEY ("environmentId", "connectionId") REFERENCES "PaymentConnection"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PaymentMethod" ADD CONSTRAINT "PaymentMethod_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PortalSession" ADD CONSTRAINT "PortalSession_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PortalRetryCount" ADD CONSTRAINT "PortalRetryCount_environmentId_id_fkey" FOREIGN KEY ("environmentId", "id") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CustomerCredit" ADD CONSTRAINT "CustomerCredit_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CustomerNote" ADD CONSTRAINT "CustomerNote_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "EmailNotification" ADD CONSTRAINT "EmailNotification_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ExportChunk" ADD CONSTRAINT "ExportChunk_environmentId_exportId_fkey" FOREIGN KEY ("environmentId", "exportId") REFERENCES "Export"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_environmentId_buyerId_fkey" FOREIGN KEY ("environmentId", "buyerId") REFERENCES "InvoiceParty"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_environmentId_sellerId_fkey" FOREIGN KEY ("environmentId", "sellerId") REFERENCES "InvoiceParty"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_environmentId_refundId_fkey" FOREIGN KEY ("environmentId", "refundId") REFERENCES "Refund"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_environmentId_buyerId_fkey" FOREIGN KEY ("environmentId", "buyerId") REFERENCES "InvoiceParty"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_environmentId_sellerId_fkey" FOREIGN KEY ("environmentId", "sellerId") REFERENCES "InvoiceParty"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_creditId_fkey" FOREIGN KEY ("environmentId", "creditId") REFERENCES "CustomerCredit"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_paymentId_fkey" FOREIGN KEY ("environmentId", "paymentId") REFERENCES "Payment"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_paymentMethodId_fkey" FOREIGN KEY ("environmentId", "paymentMethodId") REFERENCES "PaymentMethod"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_environmentId_transactionId_fkey" FOREIGN KEY ("environmentId", "transactionId") REFERENCES "Transaction"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ChargeAttempt" ADD CONSTRAINT "ChargeAttempt_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "RetentionOffer" ADD CONSTRAINT "RetentionOffer_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoCode" ADD CONSTRAINT "PromoCode_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoRedemption" ADD CONSTRAINT "PromoRedemption_environmentId_promoCodeId_fkey" FOREIGN KEY ("environmentId", "promoCodeId") REFERENCES "PromoCode"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoRedemption" ADD CONSTRAINT "PromoRedemption_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoRedemption" ADD CONSTRAINT "PromoRedemption_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CardPromotion" ADD CONSTRAINT "CardPromotion_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CardPromotionBin" ADD CONSTRAINT "CardPromotionBin_environmentId_cardPromotionId_fkey" FOREIGN KEY ("environmentId", "cardPromotionId") REFERENCES "CardPromotion"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OrganizationLogo" ADD CONSTRAINT "OrganizationLogo_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OrganizationClaim" ADD CONSTRAINT "OrganizationClaim_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Environment" ADD CONSTRAINT "Environment_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_payerId_fkey" FOREIGN KEY ("environmentId", "payerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_connectionId_fkey" FOREIGN KEY ("environmentId", "connectionId") REFERENCES "PaymentConnection"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payout" ADD CONSTRAINT "Payout_environmentId_bankAccountId_fkey" FOREIGN KEY ("environmentId", "bankAccountId") REFERENCES "PayoutBankAccount"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PayoutVerification" ADD CONSTRAINT "PayoutVerification_environmentId_bankAccountId_fkey" FOREIGN KEY ("environmentId", "bankAccountId") REFERENCES "PayoutBankAccount"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Credential" ADD CONSTRAINT "Credential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "SecondFactor" ADD CONSTRAINT "SecondFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "FormerActor" ADD CONSTRAINT "FormerActor_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "MemberInvitation" ADD CONSTRAINT "MemberInvitation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "SavedView" ADD CONSTRAINT "SavedView_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "SavedView" ADD CONSTRAINT "SavedView_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_basePlanId_fkey" FOREIGN KEY ("environmentId", "basePlanId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Deadline" ADD CONSTRAINT "Deadline_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_priceId_fkey" FOREIGN KEY ("environmentId", "priceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_paymentMethodId_fkey" FOREIGN KEY ("environmentId", "paymentMethodId") REFERENCES "PaymentMethod"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_grantedPlanId_fkey" FOREIGN KEY ("environmentId", "grantedPlanId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_promoCodeId_fkey" FOREIGN KEY ("environmentId", "promoCodeId") REFERENCES "PromoCode"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_cardPromotionId_fkey" FOREIGN KEY ("environmentId", "cardPromotionId") REFERENCES "CardPromotion"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonActivation" ADD CONSTRAINT "AddonActivation_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonActivation" ADD CONSTRAINT "AddonActivation_environmentId_addonId_fkey" FOREIGN KEY ("environmentId", "addonId") REFERENCES "Addon"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonActivation" ADD CONSTRAINT "AddonActivation_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TestClockRunItem" ADD CONSTRAINT "TestClockRunItem_environmentId_runId_fkey" FOREIGN KEY ("environmentId", "runId") REFERENCES "TestClockRun"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TestClockRunItem" ADD CONSTRAINT "TestClockRunItem_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ExampleRun" ADD CONSTRAINT "ExampleRun_environmentId_clockRunId_fkey" FOREIGN KEY ("environmentId", "clockRunId") REFERENCES "TestClockRun"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "WebhookCursor" ADD CONSTRAINT "WebhookCursor_environmentId_id_fkey" FOREIGN KEY ("environmentId", "id") REFERENCES "Webhook"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_environmentId_webhookId_fkey" FOREIGN KEY ("environmentId", "webhookId") REFERENCES "Webhook"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What Prisma's schema language cannot say.

-- Pieces of two and three characters of a folded text (domain/folding.ts). A text that contains another text has all of its pieces.
CREATE FUNCTION quittance_pieces(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ DECLARE letters text[] := string_to_array(folded, NULL); count int := coalesce(array_length(letters, 1), 0); pieces text[] := '{}'; BEGIN
    FOR place IN 1..count - 1 LOOP pieces[place] := letters[place] || letters[place + 1]; END LOOP; -- of two
    FOR place IN 1..count - 2 LOOP pieces[count - 1 + place] := pieces[place] || letters[place + 2]; END LOOP; -- of three
    RETURN pieces; END $$;

-- Search inside texts, each environment for itself.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "Customer_search" ON "Customer" USING gin ("environmentId", quittance_pieces("searchText"));
CREATE INDEX "Payment_search" ON "Payment" USING gin ("environmentId", quittance_pieces("searchText"));

-- Sorting of lists by what is made of a column.
CREATE INDEX "Customer_by_name" ON "Customer" ("environmentId", (lower("fullName") COLLATE "C"), seq);
CREATE INDEX "Offer_by_name" ON "Offer" ("environmentId", (lower(name) COLLATE "C"), seq);
CREATE INDEX "PromoCode_by_code" ON "PromoCode" ("environmentId", (code COLLATE "C"));
-- Also finds customers by address.
CREATE INDEX "Customer_by_email" ON "Customer" ("environmentId", ("emailKey" COLLATE "C"), seq);

-- At most one, or only some rows: partial indexes.
CREATE UNIQUE INDEX "Addon_living_feature" ON "Addon" ("environmentId", "featureId") WHERE ("deletedAt" IS NULL);
CREATE UNIQUE INDEX "Addon_living_slug" ON "Addon" ("environmentId", slug) WHERE ("deletedAt" IS NULL);
CREATE UNIQUE INDEX "AddonActivation_one_active" ON "AddonActivation" ("environmentId", "subscriptionId", "addonId") WHERE (status = 'active'::"SubscriptionAddonStatus");
CREATE INDEX "ChargeAttempt_to_compare" ON "ChargeAttempt" ("environmentId", "compareAt") WHERE ("compareAt" IS NOT NULL);
CREATE UNIQUE INDEX "CreditPack_living_name" ON "CreditPack" ("environmentId", name) WHERE ("deletedAt" IS NULL);
CREATE INDEX "CustomerCredit_usable" ON "CustomerCredit" ("environmentId", "customerId") WHERE ("remainingMinor" > 0);
CREATE INDEX "Deadline_failed" ON "Deadline" ("environmentId", "notBefore") WHERE (state = 'failed'::"DeadlineState");
CREATE INDEX "Deadline_of_customer" ON "Deadline" ("environmentId", "customerId") WHERE ("subscriptionId" IS NULL);
CREATE UNIQUE INDEX "Event_one_per_cause" ON "Event" ("environmentId", cause) WHERE (cause IS NOT NULL);
CREATE INDEX "Event_timeline_of_invoice" ON "Event" ("environmentId", "invoiceId", position) WHERE ("invoiceId" IS NOT NULL);
-- Renewals write none of these kinds.
CREATE INDEX "Event_by_subject" ON "Event" ("environmentId", coalesce(data ->> 'paymentId', data ->> 'payoutId', data ->> 'id'), position) WHERE kind IN ('payment_link.created', 'payment_link.completed', 'payment_link.failed', 'payment_link.canceled', 'plan_grant.created', 'plan_grant.updated', 'plan_grant.expired', 'plan_grant.revoked', 'payout.created', 'payout.paid', 'payout.failed', 'payout.canceled');
CREATE INDEX "FeatureCount_leaving" ON "FeatureCount" ("environmentId", "customerId") WHERE ("pendingRemovals" > 0);
CREATE UNIQUE INDEX "Feature_living_code" ON "Feature" ("environmentId", code) WHERE ("deletedAt" IS NULL);
CREATE UNIQUE INDEX "Feature_living_name" ON "Feature" ("environmentId", name) WHERE ("deletedAt" IS NULL);
CREATE INDEX "CreditNote_refund" ON "CreditNote" ("environmentId", "refundId") WHERE ("refundId" IS NOT NULL);
CREATE INDEX "CreditNote_subscription" ON "CreditNote" ("environmentId", "subscriptionId") WHERE ("subscriptionId" IS NOT NULL);
CREATE INDEX "CustomerCredit_left_by" ON "CustomerCredit" ("environmentId", "leftByInvoiceId") WHERE ("leftByInvoiceId" IS NOT NULL);
CREATE INDEX "Invoice_open" ON "Invoice" ("environmentId", "customerId") WHERE (status = ANY (ARRAY['draft'::"InvoiceStatus", 'outstanding'::"InvoiceStatus"]));
CREATE INDEX "Invoice_unpaid" ON "Invoice" ("environmentId", status, "createdAt", seq) WHERE (status <> 'paid'::"InvoiceStatus");
CREATE INDEX "InvoiceLine_credit" ON "InvoiceLine" ("environmentId", "creditId") WHERE ("creditId" IS NOT NULL);
CREATE INDEX "InvoiceLine_offer" ON "InvoiceLine" ("environmentId", "offerId") WHERE ("offerId" IS NOT NULL);
CREATE INDEX "LedgerTransfer_transaction" ON "LedgerTransfer" ("environmentId", "transactionId") WHERE ("transactionId" IS NOT NULL);
CREATE INDEX "LedgerTransfer_available_idx" ON "LedgerTransfer" ("environmentId", "occurredAt", seq) WHERE (("debitAccount" = 'merchant_available'::text) OR ("creditAccount" = 'merchant_available'::text));
CREATE UNIQUE INDEX "Member_one_owner" ON "Member" ("organizationId") WHERE (role = 'owner'::"MemberRole");
CREATE UNIQUE INDEX "PaymentConnection_one_default" ON "PaymentConnection" ("environmentId") WHERE "isDefault";
CREATE INDEX "Payout_next_step_idx" ON "Payout" ("environmentId", "nextStepAt") WHERE ("nextStepAt" IS NOT NULL);
CREATE INDEX "Payout_under_way_idx" ON "Payout" ("environmentId") WHERE (status = ANY (ARRAY['pending'::"PayoutStatus", 'in_transit'::"PayoutStatus"]));
CREATE UNIQUE INDEX "PayoutBankAccount_default_key" ON "PayoutBankAccount" ("environmentId") WHERE "isDefault";
CREATE UNIQUE INDEX "PayoutVerification_one_pending" ON "PayoutVerification" ("environmentId") WHERE (status = 'pending'::"PayoutVerificationStatus");
CREATE UNIQUE INDEX "Plan_living_code" ON "Plan" ("environmentId", code) WHERE ("deletedAt" IS NULL);
CREATE UNIQUE INDEX "Plan_one_rank_per_group" ON "Plan" ("environmentId", "planGroupId", "sortOrder") WHERE ("planGroupId" IS NOT NULL);
CREATE UNIQUE INDEX "PlanExchangeRate_one_per_currency" ON "PlanExchangeRate" ("environmentId", "planId", currency) WHERE ("validTo" IS NULL);
CREATE UNIQUE INDEX "PlanFeatureRate_one_per_currency" ON "PlanFeatureRate" ("environmentId", "planId", "featureId", currency) WHERE ("validTo" IS NULL);
CREATE UNIQUE INDEX "PlanGrant_one_active" ON "PlanGrant" ("environmentId", "subscriptionId") WHERE (status = 'active'::"PlanGrantStatus");
CREATE UNIQUE INDEX "PlanPrice_one_base_per_interval" ON "PlanPrice" ("environmentId", "planId", "billingInterval") WHERE (("archivedAt" IS NULL) AND ("inheritsFromPriceId" IS NULL));
CREATE UNIQUE INDEX "PlanPrice_one_default" ON "PlanPrice" ("environmentId", "planId") WHERE "isDefault";
CREATE UNIQUE INDEX "PlanPriceOverride_one_per_currency" ON "PlanPriceOverride" ("environmentId", "priceId", currency) WHERE (("validTo" IS NULL) AND ("marketId" IS NULL));
CREATE UNIQUE INDEX "PlanPriceOverride_one_per_market" ON "PlanPriceOverride" ("environmentId", "priceId", "marketId") WHERE (("validTo" IS NULL) AND ("marketId" IS NOT NULL));
CREATE UNIQUE INDEX "Refund_underway" ON "Refund" ("environmentId", "transactionId") WHERE (status = ANY (ARRAY['pending'::"RefundStatus", 'requires_action'::"RefundStatus"]));
CREATE UNIQUE INDEX "Subscription_one_blocking" ON "Subscription" ("environmentId", "customerId") WHERE (status = ANY (ARRAY['draft'::"SubscriptionStatus", 'trialing'::"SubscriptionStatus", 'active'::"SubscriptionStatus", 'past_due'::"SubscriptionStatus"]));
CREATE UNIQUE INDEX "Subscription_one_pending" ON "Subscription" ("environmentId", "customerId") WHERE (status = 'pending_payment'::"SubscriptionStatus");
-- What changes automatically at the end of a period, for the series of scheduled revenue.
CREATE INDEX "Subscription_scheduled" ON "Subscription" ("environmentId", id) WHERE (status IN ('trialing', 'active', 'past_due') AND ("cancelAtPeriodEnd" OR "scheduledChange" IS NOT NULL OR status = 'trialing'));
CREATE UNIQUE INDEX "TestClockRun_one_unfinished" ON "TestClockRun" ("environmentId") WHERE (status = ANY (ARRAY['pending'::"TestClockRunStatus", 'running'::"TestClockRunStatus"]));

CREATE UNIQUE INDEX "ExampleRun_one_unfinished" ON "ExampleRun" ("environmentId") WHERE (status = 'running'::"ExampleRunStatus");
CREATE INDEX "Transaction_unsettled" ON "Transaction" ("environmentId", status, "createdAt", seq) WHERE (status <> 'succeeded'::"TransactionStatus");
CREATE INDEX "Transaction_open_disputes" ON "Transaction" ("environmentId", "disputedAt", seq) WHERE (("disputedAt" IS NOT NULL) AND ("disputeOutcome" IS NULL));
CREATE INDEX "WebhookDelivery_failed" ON "WebhookDelivery" ("environmentId", status, "createdAt", seq) WHERE (status = 'failed'::"WebhookDeliveryStatus");
CREATE INDEX "Transaction_environmentId_availableAt_idx" ON "Transaction" ("environmentId", "availableAt") WHERE ("availableAt" IS NOT NULL);
CREATE INDEX "Transaction_environmentId_paymentId_idx" ON "Transaction" ("environmentId", "paymentId") WHERE ("paymentId" IS NOT NULL);
CREATE INDEX "Transaction_pending" ON "Transaction" ("environmentId", "customerId") WHERE (status = 'pending'::"TransactionStatus");

-- Amounts and states that contradict each other.
ALTER TABLE "CustomerCredit" ADD CONSTRAINT "CustomerCredit_parts" CHECK ((("remainingMinor" = ((("amountMinor" - "appliedMinor") + "reversedMinor") - "revokedMinor")) AND ("remainingMinor" >= 0) AND ("amountMinor" > 0) AND (("reversedMinor" >= 0) AND ("reversedMinor" <= "appliedMinor")) AND ("revokedMinor" >= 0)));
ALTER TABLE "CreditNote" ADD CONSTRAINT "CreditNote_amounts" CHECK ((("total" < 0) AND ("taxAmount" <= 0) AND ("subtotal" <= 0) AND ("total" = ("subtotal" + "taxAmount"))));
ALTER TABLE "Invoice" ADD CONSTRAINT "Invoice_credited" CHECK ((("creditedAmount" >= 0) AND ("creditedTax" >= 0) AND ("creditedTax" <= "creditedAmount") AND (("creditedAmount" = 0) OR ("creditedAmount" <= total)) AND (("creditedTax" = 0) OR ("creditedTax" <= "taxAmount")) AND ("creditedDue" >= 0) AND ("creditedDue" <= "creditedAmount")));
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_amount" CHECK (("amountMinor" > 0));
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_dispute" CHECK (((status <> 'disputed'::"TransactionStatus") OR ("disputedAt" IS NOT NULL)));
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_refunded" CHECK ((("refundedMinor" >= 0) AND ("refundedMinor" <= "amountMinor")));

-- Room for updates on the same page.
ALTER TABLE "ConsumptionAccount" SET (fillfactor=50);
ALTER TABLE "Subscription" SET (fillfactor=60);
ALTER TABLE "UsageCounter" SET (fillfactor=50);

-- Rows that are written again and again, or removed soon: a fifth of a large table would be late for cleaning.
ALTER TABLE "ConsumptionAccount" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "Deadline" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "EmailNotification" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "EnvironmentCounter" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "EnvironmentLease" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "IdempotencyKey" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "Subscription" SET (autovacuum_vacuum_scale_factor=0.05);
ALTER TABLE "TestClockRunItem" SET (autovacuum_vacuum_scale_factor=0.05);
ALTER TABLE "UsageCounter" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "WebhookDelivery" SET (autovacuum_vacuum_scale_factor=0.05);

-- Bytes are written once and read in pieces: what is compressed could only be read whole.
ALTER TABLE "ExportChunk" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

-- Raises an error of ours by its SQLSTATE, for statements that check what they were decided on (platform/db/raised-errors.ts).
CREATE FUNCTION quittance_raise(code text, cause text) RETURNS boolean LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = code, MESSAGE = cause; END $$;
