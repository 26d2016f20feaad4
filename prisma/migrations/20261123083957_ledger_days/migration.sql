-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "reportingCurrency" TEXT NOT NULL DEFAULT 'usd';
ALTER TABLE "Organization" ALTER COLUMN "reportingCurrency" DROP DEFAULT;

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
    "day" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,

    CONSTRAINT "LedgerDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ReceivableDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "dueDay" TIMESTAMPTZ(3) NOT NULL,
    "amountMinor" BIGINT NOT NULL,

    CONSTRAINT "ReceivableDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "BilledDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "invoiceType" "InvoiceType" NOT NULL,
    "lineType" "InvoiceLineType" NOT NULL,
    "planName" TEXT,
    "amountMinor" BIGINT NOT NULL,

    CONSTRAINT "BilledDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "SettledDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "usdMinor" BIGINT NOT NULL,

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

-- CreateIndex
CREATE INDEX "LedgerDay_environmentId_day_idx" ON "LedgerDay"("environmentId", "day");

-- CreateIndex
CREATE INDEX "ReceivableDay_environmentId_day_idx" ON "ReceivableDay"("environmentId", "day");

-- CreateIndex
CREATE INDEX "BilledDay_environmentId_day_idx" ON "BilledDay"("environmentId", "day");

-- CreateIndex
CREATE INDEX "SettledDay_environmentId_day_idx" ON "SettledDay"("environmentId", "day");

-- CreateIndex
CREATE INDEX "FxRate_environmentId_day_idx" ON "FxRate"("environmentId", "day");

-- CreateIndex
CREATE INDEX "LedgerTransfer_environmentId_seq_idx" ON "LedgerTransfer"("environmentId", "seq");

-- Sums of environments that exist begin with their first transfer.
INSERT INTO "LedgerDayCursor" ("environmentId", "seq") SELECT "environmentId", 0 FROM "EnvironmentCounter";
