-- AlterEnum
ALTER TYPE "LimitCrossingKind" ADD VALUE 'overrun';
