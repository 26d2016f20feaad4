-- Roles of members with a part of the permissions.
ALTER TYPE "MemberRole" ADD VALUE 'read_only';
ALTER TYPE "MemberRole" ADD VALUE 'support';
ALTER TYPE "MemberRole" ADD VALUE 'finance';
