import './types/preview.ts';
import './queries.ts';
