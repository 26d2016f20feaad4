-- AlterEnum
ALTER TYPE "ProviderRequestSubject" ADD VALUE 'payment_method';
