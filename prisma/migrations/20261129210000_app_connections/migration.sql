-- Access tokens of connected apps, which act as API keys until they expire.
ALTER TABLE "ApiKeyHash" ADD COLUMN "expiresAt" TIMESTAMPTZ(3);
CREATE INDEX "ApiKeyHash_expiresAt_idx" ON "ApiKeyHash"("expiresAt");

-- Authorization codes that apps exchange for tokens.
CREATE TABLE "OAuthCode" (
    "codeHash" TEXT NOT NULL,
    "clientHash" TEXT NOT NULL,
    "clientName" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "codeChallenge" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "keyEnvironmentId" TEXT NOT NULL,
    "preset" TEXT NOT NULL,
    "limits" JSONB NOT NULL,
    "apiKeyId" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OAuthCode_pkey" PRIMARY KEY ("codeHash")
);

CREATE INDEX "OAuthCode_expiresAt_idx" ON "OAuthCode"("expiresAt");

-- Tokens with which connected apps request new access tokens.
CREATE TABLE "OAuthRefreshToken" (
    "tokenHash" TEXT NOT NULL,
    "clientHash" TEXT NOT NULL,
    "keyEnvironmentId" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,
    "usedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OAuthRefreshToken_pkey" PRIMARY KEY ("tokenHash")
);

CREATE INDEX "OAuthRefreshToken_expiresAt_idx" ON "OAuthRefreshToken"("expiresAt");
