// The bus and work orders (contract.md sections 5 and 9)
export const BUS_PAGE_DEFAULT = 100;
export const BUS_PAGE_MAX = 500;
export const BUS_SUBJECT_CHARACTERS_MAX = 500;
