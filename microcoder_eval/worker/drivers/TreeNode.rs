#[derive(Debug, PartialEq, Eq)]
pub struct TreeNode { pub val: i32, pub left: Option<std::rc::Rc<std::cell::RefCell<TreeNode>>>,
pub right: Option<std::rc::Rc<std::cell::RefCell<TreeNode>>> }
impl TreeNode { #[inline] pub fn new(val: i32) -> Self {
TreeNode { val, left: None, right: None } } }
