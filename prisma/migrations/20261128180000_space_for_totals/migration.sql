-- Usage events update these rows often. With free space on its page, an updated row needs no new index entries.
ALTER TABLE "UsageCell" SET (fillfactor=50);
ALTER TABLE "UsageValue" SET (fillfactor=50);
