-- AlterEnum
ALTER TYPE "AutoTopUpReason" ADD VALUE 'not_off_session';
