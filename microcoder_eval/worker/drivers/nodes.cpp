// After the program, which may define the nodes itself.
namespace microcoder {

template <> struct Reader<ListNode*> {
    static ListNode* read(const Value& value) {
        if (value.kind != 'l' && value.kind != 'n') refuse("ListNode");
        ListNode* head = nullptr;
        for (size_t index = value.items.size(); index-- > 0;) {
            ListNode* node = new ListNode(microcoder::read<int>(value.items[index]));
            node->next = head;
            head = node;
        }
        return head;
    }
};
template <> struct Writer<ListNode*> {
    static void write(std::string& out, ListNode* node) {
        std::vector<int> values;
        for (; node; node = node->next) values.push_back(node->val);
        microcoder::write(out, values);
    }
};

template <> struct Reader<TreeNode*> {
    static TreeNode* read(const Value& value) {
        if (value.kind != 'l' && value.kind != 'n') refuse("TreeNode");
        std::vector<TreeNode*> parents;
        TreeNode* root = nullptr;
        for (size_t index = 0, parent = 0; index < value.items.size(); index++) {
            const Value& item = value.items[index];
            TreeNode* node = item.kind == 'n' ? nullptr : new TreeNode(microcoder::read<int>(item));
            if (index == 0) {
                root = node;
            } else {
                if (parent >= parents.size()) refuse("TreeNode");
                (index % 2 ? parents[parent]->left : parents[parent]->right) = node;
                if (index % 2 == 0) parent++;
            }
            if (node) parents.push_back(node);
        }
        return root;
    }
};
template <> struct Writer<TreeNode*> {
    static void write(std::string& out, TreeNode* root) {
        std::vector<std::string> texts;
        std::deque<TreeNode*> queue{root};
        while (!queue.empty()) {
            TreeNode* node = queue.front();
            queue.pop_front();
            texts.push_back(node ? std::to_string(node->val) : "null");
            if (node) queue.insert(queue.end(), {node->left, node->right});
        }
        while (!texts.empty() && texts.back() == "null") texts.pop_back();
        out += '[';
        for (size_t index = 0; index < texts.size(); index++) out += (index ? "," : "") + texts[index];
        out += ']';
    }
};

}  // namespace microcoder
