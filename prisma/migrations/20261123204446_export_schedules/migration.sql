-- CreateEnum
CREATE TYPE "ExportFrequency" AS ENUM ('daily', 'weekly', 'monthly');

-- AlterTable
ALTER TABLE "Export" ADD COLUMN     "scheduleId" TEXT;

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ExportSchedule_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "ExportSchedule_environmentId_createdAt_seq_idx" ON "ExportSchedule"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "ExportSchedule_isActive_nextRunAt_idx" ON "ExportSchedule"("isActive", "nextRunAt");
