-- CreateTable
CREATE TABLE "PortalSession" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "returnUrl" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PortalSession_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "PortalSession_environmentId_customerId_idx" ON "PortalSession"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "PortalSession_createdAt_idx" ON "PortalSession"("createdAt");

-- CreateIndex
CREATE INDEX "Customer_environmentId_email_idx" ON "Customer"("environmentId", "email");

-- AddForeignKey
ALTER TABLE "PortalSession" ADD CONSTRAINT "PortalSession_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
