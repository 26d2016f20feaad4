-- AlterEnum
ALTER TYPE "EventSource" ADD VALUE 'pricing_page';

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

-- AddForeignKey
ALTER TABLE "PricingTable" ADD CONSTRAINT "PricingTable_environmentId_planGroupId_fkey" FOREIGN KEY ("environmentId", "planGroupId") REFERENCES "PlanGroup"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PricingTablePurchase" ADD CONSTRAINT "PricingTablePurchase_environmentId_pricingTableId_fkey" FOREIGN KEY ("environmentId", "pricingTableId") REFERENCES "PricingTable"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PricingTablePurchase" ADD CONSTRAINT "PricingTablePurchase_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
