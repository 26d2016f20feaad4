-- Calls that Quittance makes after their approval are part of the request log.
ALTER TYPE "RequestTransport" ADD VALUE 'approval';
