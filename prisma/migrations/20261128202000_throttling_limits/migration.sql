-- Limits that slow usage down.
ALTER TYPE "LimitAction" ADD VALUE 'throttle';
