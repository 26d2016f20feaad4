import './enums.ts';
import './types/cash.ts';
import './types/exposure.ts';
import './types/recovery.ts';
import './types/metrics.ts';
import './queries.ts';
