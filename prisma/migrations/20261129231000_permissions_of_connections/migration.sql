-- Permissions that a member selects for a connected app.
ALTER TABLE "OAuthCode" ADD COLUMN "permissions" TEXT[];
UPDATE "OAuthCode" SET "permissions" = '{}';
