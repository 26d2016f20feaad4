-- CreateEnum
CREATE TYPE "ExportFormat" AS ENUM ('ndjson', 'csv', 'parquet');

-- CreateEnum
CREATE TYPE "ExportStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'canceled');

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "Export_pkey" PRIMARY KEY ("environmentId","id")
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

-- CreateIndex
CREATE INDEX "Export_environmentId_createdAt_seq_idx" ON "Export"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Export_status_createdAt_idx" ON "Export"("status", "createdAt");


-- CreateIndex
CREATE INDEX "ExportChunk_environmentId_exportId_part_offset_idx" ON "ExportChunk"("environmentId", "exportId", "part", "offset");

-- AddForeignKey
ALTER TABLE "ExportChunk" ADD CONSTRAINT "ExportChunk_environmentId_exportId_fkey" FOREIGN KEY ("environmentId", "exportId") REFERENCES "Export"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Bytes are written once and read in pieces: what is compressed could only be read whole.
ALTER TABLE "ExportChunk" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
