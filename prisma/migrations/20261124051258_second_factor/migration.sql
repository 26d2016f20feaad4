-- AlterTable
ALTER TABLE "Person" ADD COLUMN     "twoFactorEnabled" BOOLEAN;

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

-- CreateIndex
CREATE UNIQUE INDEX "SecondFactor_userId_key" ON "SecondFactor"("userId");

-- AddForeignKey
ALTER TABLE "SecondFactor" ADD CONSTRAINT "SecondFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Person"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
