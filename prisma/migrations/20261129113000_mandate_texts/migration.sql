-- Version of the mandate text that the payer accepted.
ALTER TABLE "Mandate" ADD COLUMN "textVersion" TEXT;
