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

-- CreateIndex
CREATE INDEX "PaymentConnection_environmentId_createdAt_seq_idx" ON "PaymentConnection"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PaymentRoute_environmentId_connectionId_idx" ON "PaymentRoute"("environmentId", "connectionId");

-- AddForeignKey
ALTER TABLE "PaymentRoute" ADD CONSTRAINT "PaymentRoute_environmentId_connectionId_fkey" FOREIGN KEY ("environmentId", "connectionId") REFERENCES "PaymentConnection"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- One default at most (PAY-11)
CREATE UNIQUE INDEX "PaymentConnection_one_default" ON "PaymentConnection" ("environmentId") WHERE "isDefault";
