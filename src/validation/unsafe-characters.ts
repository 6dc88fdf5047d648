/** Controls of terminals (C0, DEL, C1), and characters that break, reorder or hide text; every one of them, for `replace`. */
export const UNSAFE_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
