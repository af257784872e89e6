export const BUS_PAGE_DEFAULT = 100;
export const BUS_PAGE_MAX = 500;
export const BUS_SUBJECT_CHARACTERS_MAX = 500;
