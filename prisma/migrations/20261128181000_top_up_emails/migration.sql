-- Emails about declined and paused automatic top-ups.
ALTER TYPE "EmailKind" ADD VALUE 'top_up_failed';
ALTER TYPE "EmailKind" ADD VALUE 'top_up_paused';
