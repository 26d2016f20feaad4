-- Limits on the numbers of seats and quota units.
ALTER TYPE "LimitMeasure" ADD VALUE 'level';
