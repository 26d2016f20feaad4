-- Sign-ins of command lines that wait for the approval of a member.
CREATE TABLE "DeviceLogin" (
    "id" TEXT NOT NULL,
    "deviceCodeHash" TEXT NOT NULL,
    "userCodeHash" TEXT NOT NULL,
    "machineName" TEXT NOT NULL,
    "memberId" TEXT,
    "keyEnvironmentId" TEXT,
    "preset" TEXT,
    "deniedAt" TIMESTAMPTZ(3),
    "polledAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DeviceLogin_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "DeviceLogin_deviceCodeHash_key" ON "DeviceLogin"("deviceCodeHash");
CREATE UNIQUE INDEX "DeviceLogin_userCodeHash_key" ON "DeviceLogin"("userCodeHash");
CREATE INDEX "DeviceLogin_expiresAt_idx" ON "DeviceLogin"("expiresAt");
