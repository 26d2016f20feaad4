-- AlterTable
ALTER TABLE "Payment" ADD COLUMN     "connectionId" TEXT,
ADD COLUMN     "namedProvider" "PaymentProvider";

-- CreateIndex
CREATE INDEX "Payment_environmentId_connectionId_idx" ON "Payment"("environmentId", "connectionId");

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_connectionId_fkey" FOREIGN KEY ("environmentId", "connectionId") REFERENCES "PaymentConnection"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
