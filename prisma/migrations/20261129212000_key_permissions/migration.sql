-- Permissions of API keys by area. Empty for keys whose scopes apply to all areas.
ALTER TABLE "ApiKey" ADD COLUMN "permissions" TEXT[];
UPDATE "ApiKey" SET "permissions" = '{}';
