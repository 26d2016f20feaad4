-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('pending', 'succeeded', 'failed', 'canceled');

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Webhook_environmentId_createdAt_seq_idx" ON "Webhook"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_webhookId_status_nextAttemptA_idx" ON "WebhookDelivery"("environmentId", "webhookId", "status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_webhookId_createdAt_seq_idx" ON "WebhookDelivery"("environmentId", "webhookId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_environmentId_createdAt_seq_idx" ON "WebhookDelivery"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_finishedAt_idx" ON "WebhookDelivery"("finishedAt");

-- AddForeignKey
ALTER TABLE "WebhookCursor" ADD CONSTRAINT "WebhookCursor_environmentId_id_fkey" FOREIGN KEY ("environmentId", "id") REFERENCES "Webhook"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_environmentId_webhookId_fkey" FOREIGN KEY ("environmentId", "webhookId") REFERENCES "Webhook"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
