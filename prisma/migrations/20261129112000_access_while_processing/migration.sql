-- Access while the first payment of a subscription is processing. Without a value, the payment instrument determines the access.
CREATE TYPE "ProcessingAccess" AS ENUM ('grant', 'wait');
ALTER TABLE "Organization" ADD COLUMN "accessWhileProcessing" "ProcessingAccess";
