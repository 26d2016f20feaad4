-- AlterEnum
ALTER TYPE "EmailAudience" ADD VALUE 'portal';
