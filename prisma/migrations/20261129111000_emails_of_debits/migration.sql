-- Emails about accepted and ended mandates, and notices of scheduled debits.
ALTER TYPE "EmailKind" ADD VALUE 'mandate_accepted';
ALTER TYPE "EmailKind" ADD VALUE 'debit_notice';
ALTER TYPE "EmailKind" ADD VALUE 'method_needed';
