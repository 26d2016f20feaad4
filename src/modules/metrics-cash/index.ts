import './enums.ts';
import './types/cash.ts';
import './types/recovery.ts';
import './types/metrics.ts';
import './queries.ts';
