import './enums.ts';
import './types/series.ts';
import './types/changes.ts';
import './types/inputs.ts';
import './relations.ts';
import './queries.ts';
import './mutations.ts';
