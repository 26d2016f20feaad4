-- Every renewal changes its subscription, but no indexed column of it: with room on the page the new version needs no index entries.
ALTER TABLE "Subscription" SET (fillfactor = 60);
