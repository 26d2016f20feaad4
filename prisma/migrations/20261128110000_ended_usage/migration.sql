-- Usage of ended usage windows with the terms that priced it, and the invoice lines of its corrections.
CREATE TABLE "EndedUsage" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "windowEnd" TIMESTAMPTZ(3) NOT NULL,
    "consumptionModel" "ConsumptionModel" NOT NULL,
    "total" BIGINT NOT NULL,
    "covered" BIGINT NOT NULL,
    "includedAmount" BIGINT NOT NULL,
    "meter" JSONB,
    "rates" JSONB,
    "cells" JSONB,
    "cost" JSONB,
    "exchangeRateE8" BIGINT,
    "deficitRate" BIGINT NOT NULL,

    CONSTRAINT "EndedUsage_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "EndedUsage_environmentId_subscriptionId_windowStart_idx" ON "EndedUsage"("environmentId", "subscriptionId", "windowStart");
CREATE INDEX "EndedUsage_environmentId_featureId_idx" ON "EndedUsage"("environmentId", "featureId");
CREATE INDEX "EndedUsage_windowEnd_idx" ON "EndedUsage"("windowEnd");
ALTER TABLE "EndedUsage" ADD CONSTRAINT "EndedUsage_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "EndedUsage" ADD CONSTRAINT "EndedUsage_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE "UsageCorrection" ADD COLUMN "amountMinor" BIGINT;
CREATE INDEX "UsageCorrection_replacement" ON "UsageCorrection" ("environmentId", "replacementId") WHERE "replacementId" IS NOT NULL;

ALTER TABLE "Subscription" ADD COLUMN "corrections" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "Subscription" ALTER COLUMN "corrections" DROP DEFAULT;

ALTER TABLE "InvoiceLine" ADD COLUMN "correctionId" TEXT;
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_correctionId_fkey" FOREIGN KEY ("environmentId", "correctionId") REFERENCES "UsageCorrection"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
CREATE INDEX "InvoiceLine_correction" ON "InvoiceLine" ("environmentId", "correctionId") WHERE "correctionId" IS NOT NULL;
CREATE INDEX "UsageValue_windowStart_idx" ON "UsageValue"("windowStart");
